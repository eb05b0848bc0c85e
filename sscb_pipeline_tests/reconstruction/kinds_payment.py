"""PaySource: what a method can pay for, told or asked, after an id that spells another kind."""

from __future__ import annotations

from typing import Final

from sscb_pipeline_tests.reconstruction.phrasings import ADOPTS, CAUTIOUS, CORRECTS, NO_USE, Reading

Table = tuple[tuple[Reading, str], ...]

USABILITY: Final[Table] = (
    (ADOPTS, "gift_card_8020792 is a certificate. The user wants to know what it can be used for."),
    (ADOPTS, "gift_card_8020792 is a certificate. The traveller is asking whether it is accepted for changes."),
    (ADOPTS, "The profile has gift_card_8020792, a certificate. Please explain to them how it could be used."),
    (ADOPTS, "gift_card_8020792 is a certificate; the open question is when it can be used."),
    (ADOPTS, "gift_card_8020792 is a certificate. It cannot be used for a change."),
    (ADOPTS, "gift_card_8020792 is not eligible for changes."),
    (CORRECTS, "gift_card_8020792 is a gift card. The user asks how it can be used."),
    (CORRECTS, "gift_card_8020792 can be used, as it is a gift card."),
    (CORRECTS, "gift_card_8020792 may be used for the change."),
    (CAUTIOUS, "Is gift_card_8020792 a certificate? I wonder how it can be used."),
    (NO_USE, "The user asks how gift_card_8020792 can be used."),
    (NO_USE, "I do not know yet whether gift_card_8020792 can be used."),
    (NO_USE, "Let me tell you which of these can be used: one moment please."),
)
"""Whether a method can pay derives from its kind; asking how it can be used does not."""

TOLD_AND_TAKEN_BACK: Final[Table] = (
    (ADOPTS, "Here it is.\n\n1. Method: gift_card_8020792\n2. Kind: certificate\n3. Amount: $327"),
    (ADOPTS, "Look:\n\n- Kind: certificate\n- Id: gift_card_8020792"),
    (CORRECTS, "Let me list it.\n\n- Id: gift_card_8020792\n- Kind: gift card"),
    (NO_USE, "Let me list it.\n\n- Id: credit_card_4959530\n- Kind: credit card"),
    (ADOPTS, "All in all I find two methods: a credit card and a certificate."),
    (CORRECTS, "I find two methods in total, a credit card and a gift card."),
    (CORRECTS, "The profile has gift_card_8020792 as a certificate. It is not one."),
    (CORRECTS, "Please disregard the word certificate beside gift_card_8020792; the id shows a gift card."),
    (CAUTIOUS, "There are hints that gift_card_8020792 is a certificate, though I'm not persuaded."),
    (CAUTIOUS, "gift_card_8020792 is down as a certificate, but I wouldn't bank on it."),
    (CAUTIOUS, "gift_card_8020792 counts as a certificate here; whether that's right remains to be seen."),
)
"""Fields of one method in a list without a title, kinds counted up, and a kind named only to be taken back."""
