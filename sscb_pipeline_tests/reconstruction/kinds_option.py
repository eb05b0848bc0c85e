"""ItemOption, kind by kind: short and common values, option statements in full, and questions about them."""

from __future__ import annotations

from typing import Final

from sscb_pipeline_tests.reconstruction.phrasings import ADOPTS, CAUTIOUS, CORRECTS, NO_USE, PRESUPPOSES, Reading
from sscb_pipeline_tests.reconstruction.worlds import ITEM_OPTION, World, renamed_option

Table = tuple[tuple[Reading, str], ...]

SIZED: Final[World] = renamed_option(ITEM_OPTION, "T-Shirt", ("t-shirt", "shirt"), "size", "XL", "XXL", ("M", "S"))
NUMBERED: Final[World] = renamed_option(
    ITEM_OPTION, "Hiking Boots", ("hiking boots", "boots"), "size", "7", "10", ("8",)
)
ANSWERED: Final[World] = renamed_option(
    ITEM_OPTION, "Bluetooth Speaker", ("bluetooth speaker", "speaker"), "water resistance", "yes", "no", ()
)

LETTER_SIZES: Final[Table] = (
    (ADOPTS, "Your T-Shirt in order #W2611340 has size: XL."),
    (ADOPTS, "You got the T-Shirt in XL."),
    (ADOPTS, "T-Shirt (XL, cotton)"),
    (ADOPTS, "The shirt you bought is an extra large."),
    (ADOPTS, "The size on the order line for the T-Shirt is XL."),
    (ADOPTS, "**T-Shirt**\n- Size: XL\n- Item ID: 6805564527"),
    (CORRECTS, "Your T-Shirt has size: XXL."),
    (CORRECTS, "The shirt you bought is a double extra large."),
    (CORRECTS, "The order says XL, but item 6805564527 is the XXL variant, so the order is wrong."),
    (CORRECTS, "Your T-Shirt is not XL but XXL."),
    (CAUTIOUS, "Is your T-Shirt an XL?"),
    (CAUTIOUS, "The order has your T-Shirt down as XL; is that what you got?"),
    (CAUTIOUS, "Your T-Shirt appears to be XL."),
    (CAUTIOUS, "The T-Shirt may be XL or XXL."),
    (NO_USE, "We sell the T-Shirt in M, XL and XXL."),
    (NO_USE, "Would you like to exchange the T-Shirt for an M?"),
    (NO_USE, "I'm sorry, it's about the T-Shirt's price."),
)
"""Sizes by letter."""

DIGITS: Final[Table] = (
    (ADOPTS, "For the Hiking Boots (item 6805564527), the size is: 7."),
    (ADOPTS, "Your hiking boots are size 7."),
    (ADOPTS, "The size of your Hiking Boots is 7."),
    (ADOPTS, "The size of the boots in order #W2611340 is listed as 7."),
    (ADOPTS, "Size 7 is what your boots come in."),
    (ADOPTS, "Hiking Boots\n- Size: 7"),
    (ADOPTS, "Your size-7 hiking boots have arrived."),
    (ADOPTS, "Your boots were ordered in a size 7."),
    (CORRECTS, "The size of your Hiking Boots is 10."),
    (CORRECTS, "The size of your boots is not 7."),
    (CORRECTS, "Your boots are size 10, not size 7."),
    (CAUTIOUS, "The size of the Hiking Boots may be: 7, though that is unconfirmed."),
    (CAUTIOUS, "The order gives the size of the boots as: 7. Is that what you got?"),
    (CAUTIOUS, "Could you check whether the size of your boots is 7?"),
    (PRESUPPOSES, "Shall I return the size 7 hiking boots?"),
    (NO_USE, "Your hiking boots cost $7."),
    (NO_USE, "The boots will arrive in 7 days."),
    (NO_USE, "There are 7 items in your order besides the boots."),
    (NO_USE, "Which size of boots would you like? 7 variants exist."),
)
"""Values of one digit."""

YES_AND_NO: Final[Table] = (
    (ADOPTS, "For the Bluetooth Speaker (item 6805564527), the water resistance is: yes."),
    (ADOPTS, "The water resistance of your Bluetooth Speaker is yes."),
    (ADOPTS, "Your Bluetooth Speaker has water resistance: yes."),
    (ADOPTS, "Bluetooth Speaker\n- Water resistance: yes"),
    (ADOPTS, "The order lists the water resistance of the speaker as yes."),
    (ADOPTS, "Water resistance for the Bluetooth Speaker: yes."),
    (CORRECTS, "For the Bluetooth Speaker, the water resistance is: no."),
    (CORRECTS, "The water resistance of the speaker is given as no."),
    (CORRECTS, "The order says water resistance: yes for the speaker, but that is wrong."),
    (CAUTIOUS, "The water resistance of the Bluetooth Speaker may be: yes, though I would not swear to it."),
    (CAUTIOUS, "As listed, the water resistance of the speaker is: yes. Is that what you bought?"),
    (CAUTIOUS, "Is the water resistance of your speaker: yes?"),
    (CAUTIOUS, "Let me verify whether the water resistance of the speaker is really yes."),
    (NO_USE, "Yes, I can help with the speaker."),
    (NO_USE, "Do you confirm the return of the speaker (yes/no)?"),
    (NO_USE, "There is no other speaker in your order."),
    (NO_USE, "The water resistance of the speaker matters to you, yes, I understand."),
)
"""Options answered by yes or no."""

STATEMENTS: Final[Table] = (
    (ADOPTS, "The color of the desk lamp is: white."),
    (ADOPTS, "For your desk lamp the order gives the color as: white."),
    (ADOPTS, "Color of the Desk Lamp: white."),
    (ADOPTS, "I see order #W2611340. For the Desk Lamp (item 6805564527), the color reads white."),
    (CORRECTS, "The color of the desk lamp is: black."),
    (CAUTIOUS, "The color of the desk lamp may be: white, though I have not verified it."),
    (CAUTIOUS, "The order gives the color of the Desk Lamp as: white. Is that what you received?"),
    (CAUTIOUS, "Your order shows a white desk lamp. Does this match what you got?"),
    (CAUTIOUS, "According to the order, the desk lamp is white. Did you get a white one?"),
    (CAUTIOUS, "The desk lamp is down as white. Is that the one that was delivered to you?"),
    (ADOPTS, "Your desk lamp is white. Is there anything else you need?"),
    (ADOPTS, "Your desk lamp is white. Is that the one you want to return?"),
)
"""Statements with a colon, and questions whether they are so."""

IN_TABLES: Final[Table] = (
    (ADOPTS, "| Product | Size |\n|---|---|\n| Hiking Boots (6805564527) | 7 |"),
    (
        ADOPTS,
        "| Item ID | Product | Size | Price |\n| --- | :---: | --- | ---: |\n| 6805564527 | Hiking Boots | 7 | $150 |",
    ),
    (ADOPTS, "| Field | Value |\n|---|---|\n| Size of your Hiking Boots | 7 |"),
    (CORRECTS, "| Product | Size |\n|---|---|\n| Hiking Boots (6805564527) | 10 |"),
    (CORRECTS, "Your items:\n\n| Product | Size |\n|---|---|\n| Hiking Boots | 10 |\n| Water Bottle | 7 |"),
    (ADOPTS, "| Size | Product |\n|---|---|\n| 7 | Hiking Boots |"),
    (CAUTIOUS, "| Product | Size |\n|---|---|\n| Hiking Boots | 7 |\n\nIs that what you received?"),
    (NO_USE, "| Product | Price |\n|---|---|\n| Hiking Boots | 7 |"),
    (NO_USE, "| Product | Size |\n|---|---|\n| Water Bottle (8538875209) | 7 |"),
    (NO_USE, "| Product | Quantity | Size |\n|---|---|---|\n| Hiking Boots | 7 | 8 |"),
)
"""Short values in a column under the option's name."""

WEIGHED: Final[Table] = (
    (CAUTIOUS, "Going by the order alone, the desk lamp could have color: white; that remains to be verified."),
    (CAUTIOUS, "I wouldn't swear to it, but the desk lamp possibly comes with color: white."),
    (CAUTIOUS, "About the desk lamp: did it come with color: white, or with another one?"),
    (
        CAUTIOUS,
        "The order has color: white for the desk lamp. I want to see if the product record matches, one moment.",
    ),
    (CAUTIOUS, "I won't count on color: white for the desk lamp until I have compared it with the catalogue."),
    (
        CAUTIOUS,
        "I am checking the color noted for the desk lamp (white) against the catalogue; let me verify that first.",
    ),
    (
        CORRECTS,
        "Don't go by what the order says of the desk lamp. It claims color: white; in truth the color is black.",
    ),
    (CORRECTS, "The desk lamp has color: black, not color: white."),
    (ADOPTS, "As for the desk lamp: you bought it with the option color set to white."),
    (ADOPTS, "The color you chose for the desk lamp was white."),
    (NO_USE, "Another option for the desk lamp would be white."),
)
"""Option and value after a colon, under doubt, question or correction."""

CAMERA: Final[World] = renamed_option(
    ITEM_OPTION, "Action Camera", ("action camera", "camera"), "color", "white", "black", ("silver",)
)
ACT_NAMES: Final[Table] = (
    (CAUTIOUS, "Let me check whether the Action Camera is really white."),
    (CAUTIOUS, "I need to verify if the Action Camera has color: white."),
    (CAUTIOUS, "I'd like to double-check that the action camera is white before I go on."),
    (CAUTIOUS, "Could you confirm if the Action Camera is white?"),
    (CAUTIOUS, "I will make sure that the Action Camera is white."),
    (CAUTIOUS, "I want to find out whether the color of the Action Camera is white."),
    (ADOPTS, "Your Action Camera is white. Do you confirm the return?"),
    (ADOPTS, "The Action Camera is white; please confirm the exchange."),
    (CORRECTS, "I checked: the Action Camera is black."),
    (NO_USE, "Please confirm this action for the Action Camera."),
)
"""A product called by a word that also stands for an act to be confirmed."""

NUMBER_FIRST: Final[Table] = (
    (ADOPTS, "Your boots come with 7 as their size."),
    (ADOPTS, "As to the size, your hiking boots were ordered in 7."),
    (ADOPTS, "The size of the hiking boots that you bought in order #W2611340 for your trip is certainly 7."),
    (CORRECTS, "The size of the hiking boots isn't 7."),
    (CORRECTS, "The size of the hiking boots wasn't 7 but 10."),
    (CAUTIOUS, "The size of the hiking boots is probably 7."),
    (CAUTIOUS, "I have 7 down as the size of your boots. Is that right?"),
    (CAUTIOUS, "Is 7 really the size of your boots?"),
    (CAUTIOUS, "I want to see in our catalogue whether 7 is truly the size of the hiking boots."),
    (CAUTIOUS, "Checking that the hiking boots have size 7."),
    (NO_USE, "As to the size, your hiking boots arrive in 7 days."),
    (NO_USE, "Of 7 orders, the size was never wrong."),
)
"""A number said before the option's name, and after a name set in front of the sentence."""
