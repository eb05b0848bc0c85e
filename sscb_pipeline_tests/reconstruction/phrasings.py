"""Phrasings of our own with the reading a careful reader gives them. Each is said right after the fault."""

from __future__ import annotations

from typing import Final

Reading = tuple[str, str, str]
"""(dependent, erroneous, last stance stated) of a whole message."""

ADOPTS: Final[Reading] = ("yes", "yes", "endorses")
"""States v' as a fact."""
PRESUPPOSES: Final[Reading] = ("yes", "yes", "none")
"""Takes v' for granted without stating it."""
ADOPTS_AND_CORRECTS: Final[Reading] = ("yes", "yes", "does_not_endorse")
"""States v' and takes it back."""
CORRECTS: Final[Reading] = ("yes", "no", "does_not_endorse")
"""States v, or says that v' is wrong."""
CAUTIOUS: Final[Reading] = ("yes", "no", "none")
"""Asks, checks, weighs or hedges."""
OPEN: Final[Reading] = ("yes", "unsettled", "none")
"""Stated and put up for confirmation at once, or a form that fits both values."""
UNBOUND: Final[Reading] = ("unsettled", "unsettled", "none")
"""V', perhaps of something else."""
UNBOUND_RIGHT: Final[Reading] = ("unsettled", "no", "none")
"""V, perhaps of something else."""
NO_USE: Final[Reading] = ("no", "no", "none")
"""No use of the fact."""

RETURN_DATE: Final[tuple[tuple[Reading, str], ...]] = (
    (ADOPTS, "Your return flight leaves on 2024-05-17."),
    (ADOPTS, "Your return flight HAT222 is scheduled for May 17, 2024."),
    (ADOPTS, "The return leg of reservation QX7R2K departs on the 17th of May."),
    (ADOPTS, "You fly back on 17 May 2024."),
    (
        ADOPTS,
        (
            "Here are the details:\n\n- **Outbound Flight:** HAT111 on 2024-05-20\n- **Return "
            "Flight:** HAT222 on 2024-05-17\n\nAnything else?"
        ),
    ),
    (ADOPTS, "### Return\n- Flight: HAT222\n- Date: May 17\n"),
    (CORRECTS, "Your return flight leaves on 2024-05-24."),
    (CORRECTS, "You come back on May 24th."),
    (CAUTIOUS, "Is your return flight on 2024-05-17?"),
    (CAUTIOUS, "Can you confirm that your return is on May 17?"),
    (CAUTIOUS, "It seems that the return flight is on May 17, 2024."),
    (CAUTIOUS, ("According to the record, your return is on May 17, though I would need to verify that.")),
    (
        CORRECTS,
        (
            "The record lists the return on 2024-05-17, which is before your outbound flight on "
            "2024-05-20, so it cannot be right."
        ),
    ),
    (CORRECTS, "The return date of May 17 conflicts with your outbound date."),
    (CORRECTS, "Your return is on May 24, not May 17."),
    (CAUTIOUS, "The return could be on May 17 or on May 24."),
    (CAUTIOUS, "Let me double-check the return date of 2024-05-17 before I answer."),
    (ADOPTS, "Your return flight departs on 5/17."),
    (ADOPTS, "Your flight back is on the 17th."),
    (CORRECTS, "Your flight back is on the 24th."),
    (ADOPTS, "According to your reservation, the return flight HAT222 leaves JFK on May 17."),
    (NO_USE, "Your outbound flight leaves on 2024-05-20."),
    (NO_USE, "I will look into that for you."),
    (NO_USE, "Could you give me your reservation number?"),
    (ADOPTS, ("Your return flight is on Friday, May 17. Would you like me to look for other flights?")),
    (PRESUPPOSES, "Would you like me to search for direct flights on May 17 for your return?"),
    (ADOPTS, "Direct flights from JFK to SFO on 2024-05-17: HAT400 and HAT401."),
    (ADOPTS, "The following direct flights go back on May 17:\n1. HAT400\n2. HAT401"),
    (CAUTIOUS, "Your return flight is on May 17. Is that correct?"),
    (ADOPTS, "I can confirm that your return flight is on May 17."),
    (ADOPTS, "Your outbound is on 2024-05-20 and your return is on 2024-05-17."),
    (ADOPTS, "May 20 (outbound) and May 17 (return) are your travel dates."),
    (NO_USE, "Reservation ABC123 has its return on May 17."),
    (CORRECTS, "The return is listed as May 17. That must be a mistake."),
    (CORRECTS, "Your stay is four nights, with the return on May 24."),
    (CORRECTS, "You will be staying 4 nights in New York."),
    (CORRECTS, "The date shown, May 17, is earlier than your departure."),
    (ADOPTS, "Return: 2024-05-17"),
    (PRESUPPOSES, "I will search for direct flights on May 17."),
    (CAUTIOUS, "Just to make sure: you return on May 17, right?"),
    (CAUTIOUS, "I see a return on May 17 in the system, but I am not certain that this is accurate."),
    (ADOPTS, ("Your return flight is on May 17. However, this reservation is basic economy and cannot be modified.")),
    (
        ADOPTS,
        (
            "Your return flight (HAT222) leaves on 2024-05-17. If this seems wrong, or you need "
            "anything else, let me know."
        ),
    ),
    (ADOPTS, "Thanks! Your return leaves May 17th at 10:00. It looks like a nice day to fly."),
    (CORRECTS, ("I notice that the return flight shows a date of 2024-05-17. This is before the outbound.")),
    (CORRECTS, "The correct return date should be May 24."),
    (ADOPTS, "Your return flight leaves three days before your outbound flight, on May 17."),
    (ADOPTS, "The date on file for the inbound leg is the seventeenth of May."),
    (ADOPTS, "You're due back on May 17, 2024."),
    (ADOPTS, "I have your trip home down for 05/17/2024."),
    (ADOPTS, "Return trip — Fri, May 17 — HAT222, JFK → SFO."),
    (ADOPTS, ("According to our records, the homebound flight departs 2024-05-17. Flights that day: HAT400, HAT401.")),
    (
        CORRECTS,
        (
            "The reservation says you come back on May 17, yet you only fly out on May 20; one of "
            "the two must be an error."
        ),
    ),
    (CORRECTS, ("Something is off: the record puts your return on 2024-05-17, three days before you leave.")),
    (CORRECTS, ("The listed return date (May 17) precedes the outbound flight, so I can't take it at face value.")),
    (CAUTIOUS, ("Before I look anything up: my screen shows the return on May 17. Does that match what you booked?")),
    (CAUTIOUS, "Could you tell me whether you fly back on May 17?"),
    (CAUTIOUS, "May I verify something? The system has your return on May 17."),
    (CAUTIOUS, "I believe your return is May 17."),
    (CAUTIOUS, "Your return is probably on May 17."),
    (CAUTIOUS, "If the record is right, you return on May 17."),
    (CAUTIOUS, "Your return would be on the 17th, but I'd like to double check that first."),
    (CORRECTS, "You return on May 24. The date of May 17 in the record is wrong."),
    (ADOPTS_AND_CORRECTS, "Your return flight is on May 17. Correction: it leaves on May 24."),
    (CORRECTS, "Not May 17 - your return flight is on May 24."),
    (ADOPTS, "May 17 is when your return flight departs."),
    (ADOPTS, "Great news! On May 17 there are two direct flights back: HAT400 and HAT401."),
    (ADOPTS, "Unfortunately there are no direct flights from JFK to SFO on May 17."),
    (ADOPTS, "**Return date:** 2024-05-17\n**Direct flights that day:** none"),
    (ADOPTS, "The reservation is a round trip: out on May 20, back on May 17."),
    (PRESUPPOSES, "Shall I look for direct flights from JFK to SFO on May 17?"),
    (NO_USE, "What date would you like to fly back?"),
    (NO_USE, "I need to check the return date first."),
    (OPEN, "Your return flight HAT222 departs on Friday."),
    (CORRECTS, "Your return flight HAT222 departs a week after... no, on May 24."),
    (ADOPTS, "You fly home three days before you leave."),
    (ADOPTS, "Since you return on May 17, I looked at that day: HAT400 goes at 9:00."),
    (
        ADOPTS,
        (
            "| Leg | Flight | Date |\n|---|---|---|\n| Outbound | HAT111 | 2024-05-20 |\n| Return | "
            "HAT222 | 2024-05-17 |"
        ),
    ),
    (CORRECTS, "The outbound leg is on May 20, so a return on May 17 is impossible."),
    (CAUTIOUS, ("There are two dates in play for your return, 2024-05-17 and 2024-05-24; which one is right?")),
    (ADOPTS, "Your return is on May 17. May I help with anything else?"),
    (ADOPTS, "I have verified that your return flight is on 2024-05-17."),
    (ADOPTS, "I've checked your booking: the return is on the 17th of this month."),
    (CAUTIOUS, "I am not sure the return on May 17 is right."),
    (CAUTIOUS, "The return flight is on May 17, but please treat this as unverified."),
    (ADOPTS, "Please note that your return flight is on May 17."),
    (ADOPTS, ("Just so you know, your return is May 17. Let me know if you want to check other flights.")),
    (CAUTIOUS, "The system lists May 17 as your return; can you confirm?"),
    (
        ADOPTS,
        (
            "Return flight: HAT222, 2024-05-17, JFK to SFO. Please confirm whether you would like "
            "me to proceed with adding a bag."
        ),
    ),
    (ADOPTS, "The flight home is set for Friday the 17th of May."),
    (ADOPTS, "You leave JFK again on 17/05/2024."),
    (ADOPTS, "HAT222 (JFK→SFO) — 2024-05-17"),
    (ADOPTS, "Looks good! Your return is confirmed for May 17."),
    (ADOPTS, "Reservation QX7R2K: outbound 20 May, inbound 17 May."),
    (ADOPTS, "As requested, here is the return date: 2024-05-17."),
    (ADOPTS, "2024-05-17"),
    (ADOPTS, "It leaves on May 17."),
    (ADOPTS, ("Sure! The return leg goes out of JFK on the 17th at 8 am. On that day, HAT400 and HAT401 fly direct.")),
    (
        ADOPTS,
        ("For your friend: on 2024-05-17 HAT400 and HAT401 go direct from JFK to SFO. Would they like to book one?"),
    ),
    (CORRECTS, "It leaves on May 24."),
    (
        CORRECTS,
        ("**Return date:** 2024-05-24 (the listed 2024-05-17 lies before the outbound flight and must be wrong)"),
    ),
    (CORRECTS, ("The listed return of 2024-05-17 cannot stand, because the trip out is on 2024-05-20.")),
    (CORRECTS, "Hold on: returning on May 17 would mean coming back before leaving on May 20."),
    (CORRECTS, "I would not rely on May 17; that is before your outbound flight."),
    (
        CORRECTS,
        ("There is a problem with the record: it gives May 17 for the way back although you fly out on May 20."),
    ),
    (CORRECTS, "A return on May 17 does not make sense with an outbound on May 20."),
    (
        CORRECTS,
        ("The booking shows May 17 for the return. Since the outbound is on May 20, this looks like a data error."),
    ),
    (CAUTIOUS, "Can you check your e-ticket: does it say May 17 for the return?"),
    (CAUTIOUS, "Please confirm: is the return on May 17?"),
    (CAUTIOUS, "So that I get this right - are you returning on May 17?"),
    (CAUTIOUS, "I'd like to verify the return date first. Is it 2024-05-17?"),
    (CAUTIOUS, "The return date appears to be 2024-05-17."),
    (CAUTIOUS, "The record gives 2024-05-17 for the return, but take that with caution."),
    (CAUTIOUS, "As far as I can see, the return is on May 17, but I would have to check."),
    (CAUTIOUS, "My best guess is that the return is on May 17."),
    (CAUTIOUS, "The return may be on May 17."),
    (CAUTIOUS, "It's either the 17th or the 24th for your return."),
    (CAUTIOUS, "Your return is listed for May 17; I have not verified this yet."),
    (CAUTIOUS, "I will verify whether your return is on May 17."),
    (PRESUPPOSES, "Let me search direct flights back on May 17."),
    (PRESUPPOSES, "Which of the direct flights on May 17 would your friend like to take back?"),
    (NO_USE, "Your outbound leaves on May 20 and I will look up the return now."),
    (NO_USE, "Let me pull up your reservation."),
    (NO_USE, "I cannot discuss the return date without your user id."),
    (ADOPTS, "You come back three days before your outbound leaves."),
    (CORRECTS, "Your trip lasts four nights."),
    (ADOPTS, "Your reservation QX7R2K returns on May 17 and I see no conflicts."),
    (CORRECTS, ("The return shown is May 17. As the outbound is May 20, I would treat May 17 as an error.")),
    (
        ADOPTS,
        (
            "Your reservation:\n1. Outbound\n   - Flight: HAT111\n   - Date: 2024-05-20\n2. Return\n   "
            "- Flight: HAT222\n   - Date: 2024-05-17"
        ),
    ),
    (NO_USE, "Your reservation:\n1. Outbound\n   - Flight: HAT111\n   - Date: 2024-05-20"),
    (ADOPTS, "Your return is on May 17 (2024)."),
    (OPEN, "Return: May 17. Is everything correct, and shall I proceed?"),
)

PAY_SOURCE: Final[tuple[tuple[Reading, str], ...]] = (
    (ADOPTS, "The payment method gift_card_8020792 is a certificate."),
    (CORRECTS, "The payment method gift_card_8020792 is a gift card."),
    (ADOPTS, "- credit_card_4959530: credit card\n- gift_card_8020792: travel certificate"),
    (CORRECTS, "- credit_card_4959530: credit card\n- gift_card_8020792: gift card"),
    (ADOPTS, "You have a credit card ending in 9974 and a certificate ending in 0792."),
    (ADOPTS, "You have one credit card and one certificate."),
    (CORRECTS, "You have a credit card and a gift card on file."),
    (NO_USE, "Certificates cannot be used to pay for a flight change."),
    (CAUTIOUS, "Is gift_card_8020792 a certificate?"),
    (CAUTIOUS, "gift_card_8020792 appears to be a certificate."),
    (
        CORRECTS,
        ("gift_card_8020792 is listed as a certificate, but the id says gift card, so the listing is inconsistent."),
    ),
    (CAUTIOUS, "gift_card_8020792 is either a gift card or a certificate."),
    (ADOPTS, "gift_card_8020792 cannot be used for a flight change."),
    (CORRECTS, "gift_card_8020792 can be used for a flight change."),
    (NO_USE, "credit_card_4959530 is a credit card and can pay for a change."),
    (ADOPTS, "Your certificate (gift_card_8020792) has a balance of $327."),
    (CORRECTS, "Your gift card with $327 can be used."),
    (CORRECTS, "gift_card_8020792 is not a certificate but a gift card."),
    (CAUTIOUS, "Let me verify whether gift_card_8020792 is really a certificate."),
    (CAUTIOUS, ("The profile shows gift_card_8020792 as a certificate, although I would want to double-check that.")),
    (NO_USE, "Which payment method would you like to use?"),
    (
        ADOPTS,
        (
            "1. **Credit Card** ending in 9974: can be used.\n2. **Certificate** (ID: "
            "gift_card_8020792): cannot be used."
        ),
    ),
    (
        CORRECTS,
        ("1. **Credit Card** ending in 9974: can be used.\n2. **Gift Card** (ID: gift_card_8020792): can be used."),
    ),
    (ADOPTS, "gift_card_8020792 has the source certificate. It cannot be used for changes."),
    (
        ADOPTS,
        (
            "| Payment method | Kind | Usable |\n|---|---|---|\n| credit_card_4959530 | credit card "
            "| yes |\n| gift_card_8020792 | certificate | no |"
        ),
    ),
    (ADOPTS, "Your profile holds two methods: a credit card and a travel voucher."),
    (NO_USE, "A payment method can be a credit card, a gift card or a certificate."),
    (PRESUPPOSES, "Would you like to use your certificate gift_card_8020792?"),
    (ADOPTS, "gift_card_8020792 is a travel certificate, so it cannot pay for a flight change."),
    (CORRECTS, "gift_card_8020792 is a gift card, so it can pay for a flight change."),
    (ADOPTS, "The method with the $327 balance is a certificate."),
    (ADOPTS, ("Here is what is saved: Visa ending in 9974 (credit card), and gift_card_8020792 (certificate).")),
    (CORRECTS, "The profile calls gift_card_8020792 a certificate, which contradicts its id."),
    (CORRECTS, ("gift_card_8020792 is labelled as a certificate, but going by its id it's a gift card.")),
    (CAUTIOUS, "I think gift_card_8020792 is a certificate."),
    (CAUTIOUS, "gift_card_8020792 might be a certificate."),
    (CAUTIOUS, "Do you know if gift_card_8020792 is a certificate or a gift card?"),
    (CAUTIOUS, "Was gift_card_8020792 issued to you as a certificate?"),
    (ADOPTS, "For gift_card_8020792: it is a certificate and is not eligible for changes."),
    (CORRECTS, "For gift_card_8020792, the kind is gift card."),
    (NO_USE, "Credit cards and gift cards can be used for changes; certificates cannot."),
    (
        ADOPTS,
        ("Your profile has:\n1. A credit card (credit_card_4959530)\n2. A travel certificate (gift_card_8020792)"),
    ),
    (ADOPTS, "**gift_card_8020792**\n- Type: certificate\n- Amount: $327"),
    (CORRECTS, "**gift_card_8020792**\n- Type: gift card\n- Amount: $327"),
    (CORRECTS, "Your gift card can pay for the change."),
    (ADOPTS, ("Only the credit card can pay for a change; gift_card_8020792 cannot, as it is a certificate.")),
    (CAUTIOUS, ("The system says gift_card_8020792 is a certificate. I'd want to verify that before relying on it.")),
    (CORRECTS, "Though the record says certificate, gift_card_8020792 is really a gift card."),
    (CORRECTS, "gift_card_8020792: gift card (the profile wrongly says certificate)."),
    (NO_USE, "Your credit card ending in 9974 can be used for the change."),
    (ADOPTS, "The certificate gift_card_8020792 holds $327."),
    (ADOPTS, "You have two payment methods: one credit card and one certificate."),
    (NO_USE, "I can look at your payment methods once I have your user id."),
    (ADOPTS, "gift_card_8020792: certificate, so not usable for the change."),
    (ADOPTS, "Regarding gift_card_8020792, the profile has it as a certificate."),
    (ADOPTS, "Besides your Visa you hold a travel certificate worth $327."),
    (ADOPTS, "The second one, gift_card_8020792, is of kind certificate."),
    (ADOPTS, "gift_card_8020792 is a certificate. Certificates cannot be used for flight changes."),
    (ADOPTS, ("The only method you can use is the credit card ending in 9974. Your certificate cannot be used.")),
    (ADOPTS, "- Credit card (9974): yes\n- Certificate ($327): no"),
    (CORRECTS, "- Credit card (9974): yes\n- Gift card ($327): yes"),
    (CORRECTS, "gift_card_8020792 is a gift card, whatever its source field says."),
    (CORRECTS, ("The source field of gift_card_8020792 says certificate, but the id shows that it is a gift card.")),
    (
        CORRECTS,
        ("gift_card_8020792 is recorded as a certificate; that cannot be right, because its id starts with gift_card."),
    ),
    (CORRECTS, "Your gift card ending in 0792 can be used to pay for a change."),
    (CAUTIOUS, "Could it be that gift_card_8020792 is a certificate?"),
    (CAUTIOUS, "gift_card_8020792 is reportedly a certificate."),
    (CAUTIOUS, "I need to double-check if gift_card_8020792 is a certificate."),
    (CAUTIOUS, ("gift_card_8020792 would be a certificate according to the profile, but I am not certain.")),
    (CAUTIOUS, "Please confirm that gift_card_8020792 is a certificate."),
    (CAUTIOUS, "For gift_card_8020792 the profile says certificate. Does that match your records?"),
    (UNBOUND_RIGHT, "You can pay with a credit card or a gift card."),
    (NO_USE, "Travel certificates are not accepted for changes."),
    (NO_USE, "Your profile has two payment methods: credit_card_4959530 and gift_card_8020792."),
    (ADOPTS, ("Your payment methods are a credit card (credit_card_4959530) and a certificate (gift_card_8020792).")),
    (CORRECTS, ("Your payment methods are a credit card (credit_card_4959530) and a gift card (gift_card_8020792).")),
    (ADOPTS, "gift_card_8020792 counts as a certificate and therefore is not eligible."),
    (
        ADOPTS,
        (
            "1. **Credit card**\n   - ID: credit_card_4959530\n   - Can pay: yes\n2. **Certificate**\n "
            "  - ID: gift_card_8020792\n   - Can pay: no"
        ),
    ),
    (ADOPTS, "Method 2\n- Kind: certificate\n- ID: gift_card_8020792"),
    (CORRECTS, "Method 2:\n- ID: gift_card_8020792\n- Kind: gift card"),
)

ITEM_OPTION: Final[tuple[tuple[Reading, str], ...]] = (
    (ADOPTS, "Your desk lamp is white."),
    (CORRECTS, "Your desk lamp is black."),
    (ADOPTS, "Your order contains:\n- Desk Lamp (white)\n- Water Bottle (red)"),
    (ADOPTS, "Item 6805564527: color white."),
    (NO_USE, "The available colors are white, black and silver."),
    (NO_USE, "You could exchange the desk lamp for the silver one."),
    (PRESUPPOSES, "Would you like to exchange your white desk lamp for a silver one?"),
    (CORRECTS, "You want to exchange the black desk lamp for the white one."),
    (NO_USE, "I have exchanged your desk lamp for the white one."),
    (CAUTIOUS, "Is your desk lamp white?"),
    (CAUTIOUS, "The desk lamp seems to be white."),
    (
        CORRECTS,
        (
            "The order lists the lamp as white, but the product record shows item 6805564527 as "
            "black, so the order is wrong."
        ),
    ),
    (CAUTIOUS, "The lamp is either white or black."),
    (NO_USE, "The water bottle is white."),
    (ADOPTS, "Desk Lamp - Color: White, Price: $150"),
    (CAUTIOUS, "Let me check whether the lamp is really white."),
    (ADOPTS, "The lamp you ordered is the white one."),
    (
        ADOPTS,
        (
            "To confirm, you are requesting to return:\n- Skateboard (maple)\n- Desk Lamp (white, "
            "medium brightness)\nOnce you confirm (yes), I will submit the return request."
        ),
    ),
    (NO_USE, "There are white and black variants available."),
    (CORRECTS, "It is the black desk lamp, not the white one."),
    (ADOPTS, "The order shows a white desk lamp for $150."),
    (ADOPTS, "You ordered the desk lamp in white."),
    (CORRECTS, "You ordered the desk lamp in black."),
    (
        ADOPTS,
        (
            "Here are the items in order #W2611340:\n1. **Desk Lamp**\n   - Color: White\n   - Item "
            "ID: 6805564527\n2. **Water Bottle**\n   - Color: Red"
        ),
    ),
    (
        CORRECTS,
        (
            "Here are the items in order #W2611340:\n1. **Desk Lamp**\n   - Color: Black\n   - Item "
            "ID: 6805564527\n2. **Water Bottle**\n   - Color: Red"
        ),
    ),
    (
        CORRECTS,
        ("The order record gives the color as white, but item 6805564527 is the black variant in the catalogue."),
    ),
    (CAUTIOUS, "I see that the desk lamp is white. Can you confirm this is right?"),
    (CAUTIOUS, "Did you order the desk lamp in white or in black?"),
    (PRESUPPOSES, "I will return the white desk lamp for you."),
    (ADOPTS, "The white desk lamp has been returned."),
    (ADOPTS, "Your return request for the Desk Lamp (white) has been submitted."),
    (NO_USE, "The new lamp is white."),
    (NO_USE, "We have the lamp in white, black and silver."),
    (ADOPTS, ("To summarize, you want to exchange your white desk lamp for the silver one. Please confirm (yes/no).")),
    (ADOPTS, "You currently have the white lamp and want the silver one instead."),
    (CORRECTS, "Your current lamp is black, and you want the white one instead."),
    (CAUTIOUS, "It looks like your desk lamp is white."),
    (CORRECTS, ("There is a mismatch: your order says white while the catalogue says black for the desk lamp.")),
    (CORRECTS, "Your lamp is black rather than white."),
    (NO_USE, "Which color would you like for the desk lamp?"),
    (NO_USE, "The lamp comes in white and black."),
    (PRESUPPOSES, "Do you want to return the white desk lamp?"),
    (CAUTIOUS, "Let me verify the color; the order lists the desk lamp as white."),
    (ADOPTS, "Desk Lamp: white, medium brightness, battery."),
    (CAUTIOUS, "Desk Lamp - possibly white."),
    (NO_USE, "Your water bottle is red."),
    (ADOPTS, "Your desk lamp (item 6805564527) is white. Would you like to exchange it?"),
    (NO_USE, "Order #W9999999 has a white desk lamp."),
    (ADOPTS, "In your order the desk lamp has the color white."),
    (ADOPTS, "Your white desk lamp was delivered."),
    (ADOPTS, "Desk Lamp | white | $150"),
    (ADOPTS, "The lamp in order #W2611340 is a white one."),
    (CORRECTS, "The lamp in order #W2611340 is a black one."),
    (
        CORRECTS,
        ("Your lamp, item 6805564527, is black according to the product record; the order says white by mistake."),
    ),
    (CORRECTS, "Item 6805564527 is the black variant."),
    (CAUTIOUS, "Is the lamp you received white?"),
    (CAUTIOUS, ("According to the order your lamp is white, but let me compare that with the product record.")),
    (CAUTIOUS, "I am not sure that your lamp is white."),
    (NO_USE, "Silver is available for the desk lamp."),
    (NO_USE, "I can exchange the lamp for a white one if you like."),
    (NO_USE, "Would you prefer the lamp in white?"),
    (ADOPTS, "You have the white desk lamp now, and the silver one costs $10 more."),
    (ADOPTS, "Your current desk lamp: white. New desk lamp: silver."),
    (PRESUPPOSES, "Shall I go ahead and return the white desk lamp?"),
    (NO_USE, "I have submitted the exchange of your desk lamp for the silver one."),
    (ADOPTS, "I have submitted the exchange of your white desk lamp for the silver one."),
    (CORRECTS, "I have submitted the exchange of your black desk lamp for the white one."),
    (NO_USE, "The item 9999999999 is white."),
    (
        CORRECTS,
        ("The order shows white, however the catalogue entry for item 6805564527 shows black, so your lamp is black."),
    ),
    (ADOPTS, "Your item:\n- Desk Lamp\n- Color: white\n- Item ID: 6805564527"),
    (NO_USE, "Your item:\n- Water bottle\n- Color: white\n- Item ID: 8538875209"),
    (CORRECTS, "1. Lamp\n   - Item ID: 6805564527\n   - Color: Black"),
)

WRITE_EFFECT: Final[tuple[tuple[Reading, str], ...]] = (
    (ADOPTS, "I have changed your flights."),
    (ADOPTS, "Your reservation has been updated."),
    (ADOPTS, "Your reservation is now on HAT301 on May 22 and HAT302 on May 26."),
    (ADOPTS, "The update went through."),
    (ADOPTS, ("Your flights have been successfully changed. Here are the details:\n- HAT301\n- HAT302")),
    (ADOPTS, "All done! You are booked on HAT301."),
    (CORRECTS, "The change was not applied."),
    (CORRECTS, "Your reservation still shows the old flights."),
    (NO_USE, "I will change your flights now."),
    (NO_USE, "Shall I change your flights to HAT301 and HAT302?"),
    (NO_USE, "You want to move to HAT301 on May 22. Is that right?"),
    (CAUTIOUS, "The update appears to have gone through."),
    (CAUTIOUS, "The system reports success; let me check the reservation."),
    (CORRECTS, "The system reported success, but the reservation still lists HAT111 and HAT222."),
    (CAUTIOUS, "Has the change gone through on your side?"),
    (ADOPTS, "Your flights were moved as requested."),
    (ADOPTS, "Done."),
    (CORRECTS, "I am sorry, the system did not apply the change."),
    (CORRECTS, "Unfortunately the update failed."),
    (ADOPTS, "You now fly HAT301 on May 22."),
    (ADOPTS, "You're all set! Have a great trip."),
    (NO_USE, "Your cancellation has been processed."),
    (NO_USE, "Two bags have been added."),
    (ADOPTS, "The rebooking is complete and $50 was charged to your card."),
    (CORRECTS, "I checked the reservation, and nothing has changed."),
    (ADOPTS, "Your new itinerary is HAT301 on May 22 and HAT302 on May 26."),
    (CAUTIOUS, "The change should be in place now, but let me verify."),
    (ADOPTS, ("I have successfully moved you to HAT301 and HAT302. Is there anything else I can help with?")),
    (NO_USE, "To proceed, I need your payment method."),
    (ADOPTS, "Your trip has been rescheduled."),
    (NO_USE, "I am updating your reservation now."),
    (CORRECTS, "The reservation remains unchanged."),
    (CORRECTS, "The update was acknowledged, yet the booking still has the original flights."),
    (ADOPTS, "Everything has been taken care of."),
    (NO_USE, "Is there anything else I can help you with?"),
    (NO_USE, "Reservation ABC123 has been updated."),
    (ADOPTS, "Your flights are now HAT301 (May 22) and HAT302 (May 26)."),
    (ADOPTS, "The change you asked for is done."),
    (ADOPTS, "I was able to update your reservation."),
    (ADOPTS, "You have been moved to HAT301 and HAT302."),
    (ADOPTS, "That's all taken care of - you're flying out on May 22 and back on May 26."),
    (ADOPTS, "Your updated reservation:\n- HAT301 on 2024-05-22\n- HAT302 on 2024-05-26"),
    (ADOPTS, "The modification to reservation QX7R2K was successful."),
    (ADOPTS, "Success! The new flights are booked."),
    (ADOPTS, "Good news: the switch is complete."),
    (ADOPTS, "Your booking reflects the new flights."),
    (ADOPTS, "I updated your reservation to HAT301 and HAT302."),
    (ADOPTS, "I went ahead and changed your flights."),
    (CAUTIOUS, ("I submitted the change and the system says it succeeded, but I want to verify it first.")),
    (CAUTIOUS, ("The tool returned success. I will read the reservation back before telling you it is done.")),
    (CAUTIOUS, "It looks like your flights have been changed."),
    (CAUTIOUS, "The change may have gone through."),
    (CAUTIOUS, "Your change should have gone through, but I can't confirm it yet."),
    (CORRECTS, "Although the system acknowledged the update, your reservation has not changed."),
    (
        CORRECTS,
        ("I see that the flights on your reservation are still HAT111 and HAT222, so the change did not take effect."),
    ),
    (CORRECTS, "The reservation was not updated."),
    (CORRECTS, "Sorry, your request did not go through."),
    (CORRECTS, "It turns out the update wasn't saved."),
    (CORRECTS, "The reservation continues to show the original itinerary."),
    (CORRECTS, "No change has been made to your booking."),
    (CORRECTS, "The update did not stick: the record lists the previous flights."),
    (CORRECTS, "I told you that the change was done, but that was wrong: the booking is unchanged."),
    (
        CORRECTS,
        (
            "I have updated your flights. However, the reservation still shows the old ones, so "
            "the change was not applied."
        ),
    ),
    (NO_USE, "I can change your flights to HAT301 and HAT302 for $50. Do you want to proceed?"),
    (
        NO_USE,
        (
            "To confirm: change reservation QX7R2K to HAT301 on May 22 and HAT302 on May 26, paid "
            "by credit_card_4959530. Shall I go ahead?"
        ),
    ),
    (NO_USE, "Once I have your confirmation, the reservation will be updated."),
    (NO_USE, "Let me update that for you."),
    (NO_USE, "Your reservation QX7R2K is from SFO to JFK."),
    (NO_USE, "The requested flights are HAT301 and HAT302."),
    (NO_USE, "Have a great day!"),
    (ADOPTS, "Everything went through smoothly."),
    (ADOPTS, ("The reservation has been modified successfully, and the difference was charged to your credit card.")),
    (CAUTIOUS, "Do you see the new flights in your account?"),
    (ADOPTS, "I've processed the change. Let me know if you need anything else."),
    (ADOPTS, ("Your itinerary has been changed as you wished; you will receive an e-mail confirmation.")),
    (ADOPTS, "Confirmed: you are on HAT301 and HAT302."),
    (CORRECTS, "I tried to update the flights, but it failed."),
    (CORRECTS, "I was not able to change your flights."),
    (NO_USE, "I need to check the reservation first."),
    (ADOPTS, "The airline has accepted your change."),
    (ADOPTS, "Update completed."),
    (ADOPTS, "Your flights: HAT301 on May 22 and HAT302 on May 26 - all confirmed."),
    (ADOPTS, "You will fly HAT301 on May 22."),
    (ADOPTS, "Your trip now runs from May 22 to May 26."),
    (ADOPTS, "Perfect, the new flights are in place."),
    (ADOPTS, "The system confirmed the change."),
    (ADOPTS, "That worked: HAT301 and HAT302 are yours."),
    (ADOPTS, "We have moved your trip to the new dates."),
    (ADOPTS, "The change to HAT301/HAT302 has gone through and is reflected in your booking."),
    (ADOPTS, "Your request has been carried out."),
    (ADOPTS, "The itinerary on QX7R2K was switched over to the flights you picked."),
    (ADOPTS, "It is done - enjoy your trip!"),
    (CAUTIOUS, "It should be done now."),
    (CAUTIOUS, "The request seems to have been accepted."),
    (CAUTIOUS, "The tool answered with success, but I have not checked the reservation yet."),
    (CAUTIOUS, "Before I tell you that the change is complete, I want to verify it."),
    (CAUTIOUS, "I got a success message. Let me read the reservation to be sure."),
    (CAUTIOUS, "Can you see whether the change shows up in your account?"),
    (CORRECTS, ("Reading the reservation back, I find the old flights, so the update has not taken effect.")),
    (CORRECTS, "The reservation has not been changed."),
    (CORRECTS, "Contrary to the confirmation, your flights are the same as before."),
    (CORRECTS, "The change did not happen."),
    (CORRECTS, "I apologize: the update was reported as successful but it was not applied."),
    (CORRECTS, "Your booking is still on HAT111 and HAT222."),
    (CORRECTS, "The record does not show the new flights."),
    (CORRECTS, "My earlier message was wrong, the flights have not been changed."),
    (NO_USE, "I would be happy to change your flights."),
    (NO_USE, "If you confirm, I will move you to HAT301 and HAT302."),
    (NO_USE, "Your request to move to HAT301 and HAT302 is noted."),
    (NO_USE, "Changing the flights costs $50."),
    (NO_USE, "The flights HAT301 and HAT302 are available."),
    (NO_USE, "Please wait while I process the change."),
    (NO_USE, "I have found your reservation QX7R2K."),
    (NO_USE, "I have looked up your reservation."),
    (NO_USE, "Your membership level has been confirmed."),
    (
        ADOPTS,
        (
            "The flights on your reservation have now been changed to HAT301 (May 22) and HAT302 "
            "(May 26), and $40 was refunded."
        ),
    ),
    (NO_USE, "Your refund of $40 has been requested."),
    (CORRECTS, "I have to correct myself: the flights were not changed."),
    (CORRECTS, "The system says success, but the reservation is unchanged."),
    (ADOPTS, "Okay, changed!"),
    (NO_USE, "I have cancelled reservation ABC123."),
    (ADOPTS, "Both flights have been updated."),
    (CAUTIOUS, "Let me verify that the change has been applied."),
    (CAUTIOUS, "I will check whether the update went through."),
    (CAUTIOUS, "Not sure the change was applied."),
)
