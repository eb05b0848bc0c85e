"""ReturnDate, kind by kind: dates reached by counting from a written one, and week days beside a date.

v' is 2024-05-17, v is 2024-05-24 (both a Friday), the outbound flight leaves on 2024-05-20.
"""

from __future__ import annotations

from typing import Final

from sscb_pipeline_tests.reconstruction.phrasings import (
    ADOPTS,
    CAUTIOUS,
    CORRECTS,
    NO_USE,
    OPEN,
    PRESUPPOSES,
    Reading,
)

Table = tuple[tuple[Reading, str], ...]

COUNTED: Final[Table] = (
    (ADOPTS, "Your return flight leaves on the day after May 16, 2024."),
    (ADOPTS, "You fly home one day before 18 May 2024."),
    (ADOPTS, "Keep your bags packed: the return leg goes two nights after May 15th."),
    (ADOPTS, "The inbound flight departs a day later than 2024-05-16."),
    (ADOPTS, "HAT222 takes you back three days prior to Monday, May 20th."),
    (ADOPTS, "Your way back is set for the day right after Thursday, May 16th."),
    (ADOPTS, "You return a week before May 24."),
    (ADOPTS, "The flight back is on the eve of May 18."),
    (ADOPTS, "The return date is May 16 plus one day."),
    (ADOPTS, "You come back 48 hours after 15 May."),
    (ADOPTS, "Please leave the hotel before your flight back, departing on the day following 2024-05-16."),
    (CORRECTS, "Your return flight leaves the day before May 25th."),
    (CORRECTS, "You fly back four days after 2024-05-20."),
    (CORRECTS, "Your return is a week after May 17."),
    (CAUTIOUS, "Does your return flight leave on the day after May 16?"),
    (CAUTIOUS, "It seems that you fly back one day after May 16."),
    (CORRECTS, "A return on the day after May 16 cannot be right."),
    (CORRECTS, "Your return flight does not leave the day after May 16, it leaves on May 24."),
    (PRESUPPOSES, "Shall I search for flights on the day after May 16 for your return?"),
    (NO_USE, "Your outbound flight leaves the day after May 16."),
    (NO_USE, "Your outbound flight leaves three days after 2024-05-17."),
    (NO_USE, "Your return flight leaves the day after May 29."),
    (NO_USE, "Reservation ABC123 has its return one day after May 16."),
)
"""A date reached from a written date by counting."""

WEEKDAY_BESIDE_DATE: Final[Table] = (
    (ADOPTS, "Your return flight leaves on Friday, May 17."),
    (ADOPTS, "Your return flight leaves on Friday the 17th."),
    (ADOPTS, "Your return flight leaves on May 17 (Friday)."),
    (ADOPTS, "Your return flight leaves on May 17, a Friday."),
    (ADOPTS, "Your return flight leaves on Friday, which is 2024-05-17."),
    (CORRECTS, "Your return flight leaves on Friday 24 May."),
    (CORRECTS, "The record says Friday, May 17th, for your return, which is before the outbound on Monday, May 20th."),
    (CAUTIOUS, "Is your return on Friday, May 17?"),
    (CAUTIOUS, "Your return appears to be on Friday, May 17th."),
    (PRESUPPOSES, "Shall I look for flights back on Friday, May 17?"),
    (NO_USE, "Your outbound flight leaves on Monday, May 20."),
    (OPEN, "Your return flight leaves on a Friday."),
)
"""A week day beside a determinate date is no mention of its own."""

COUNTED_FROM_BEFORE: Final[Table] = (
    (ADOPTS, "You sleep in New York until May 16 and fly back the next day."),
    (ADOPTS, "On 2024-05-15 you have dinner there; two days later your return flight leaves."),
    (ADOPTS, "May 16 is the last full day of your stay, for your return flight goes on the following morning."),
    (ADOPTS, "Spend May 16 in the museum, because on the day after, you travel back home."),
    (ADOPTS, "The concert is on May 18, and your return flight leaves the day before."),
    (ADOPTS, "Your check-out is on May 18, yet you go home one day earlier."),
    (CORRECTS, "You have May 23 to yourself and return the next day."),
    (CORRECTS, "Until May 22 you are free; two days later the inbound flight takes you home."),
    (CAUTIOUS, "You would sleep there on May 16 and apparently return the next day."),
    (NO_USE, "You have May 25 to yourself and return the next day."),
    (NO_USE, "Your outbound flight is on May 20. The next day is a Tuesday."),
)
"""A date counted from one that the same sentence named before."""

DOUBTED: Final[Table] = (
    (CAUTIOUS, "I see May 17 beside the return leg. I couldn't swear that it is accurate, so do not count on it yet."),
    (CAUTIOUS, "May 17 is what is on file for your return, but I wouldn't rely on that."),
    (CAUTIOUS, "Your return might be on May 17; whether that is right remains to be checked."),
    (CAUTIOUS, "There is some indication that you fly home on May 17, yet I am not convinced."),
    (CAUTIOUS, "We show May 17 as your return. Does your ticket say the same?"),
    (CAUTIOUS, "The booking has your return on May 17. Is that what your confirmation shows?"),
    (CAUTIOUS, "Your flight back is listed for May 17. Is that what your calendar has as well?"),
    (CORRECTS, "Never mind the return date in the system. May 17 lies before May 20, when you go out."),
    (CORRECTS, "Do not be misled by the May 17 shown for your return."),
    (CORRECTS, "The file gives May 17 for the return. That is not the case: you come back on May 24."),
    (ADOPTS, "From New York your journey back begins on May 17."),
    (NO_USE, "Your journey begins on May 20."),
    (ADOPTS, "You return on May 17. You can rely on that."),
)
"""Reserve in other words than a plain 'maybe', questions about what the user's own papers say, and disregard."""

REFUSED: Final[Table] = (
    (CORRECTS, "May 17 cannot be the return date."),
    (CORRECTS, "May 17 isn't your return day."),
    (CORRECTS, "May 17 could not possibly be your actual return date."),
    (CORRECTS, "For the return, May 17 is not correct."),
    (ADOPTS, "You return on May 17. That isn't a problem."),
    (ADOPTS, "Your return on May 17 is not the cheapest day to fly."),
    (ADOPTS, "Your return flight on May 17 can't be refunded."),
    (CAUTIOUS, "Verifying that your return is on May 17."),
    (CAUTIOUS, "Checking the schedule to see whether the return is on May 17."),
    (CAUTIOUS, "Is your return definitely on May 17?"),
    (CAUTIOUS, "Let me know whether your return is indeed on May 17."),
    (ADOPTS, "Your return is indeed on May 17."),
)
"""The value refused by the words behind it; checks announced by a bare gerund; adverbs that strengthen a question."""

LAST_NIGHT: Final[Table] = (
    (ADOPTS, "Your last night away is May 16."),
    (ADOPTS, "May 18 will be your first full day back home."),
    (ADOPTS, "Your first whole day at home is May 18."),
    (ADOPTS, "Your final overnight stay is the one on May 16."),
    (ADOPTS, "Stay until May 16, and the day after that you fly home."),
    (CORRECTS, "Your last night away is May 23."),
    (CORRECTS, "Your first full day back is May 25."),
    (ADOPTS, "After your last night away you return on May 17."),
    (ADOPTS, "Last night I saw that you return on May 17."),
    (NO_USE, "Your last night at home is May 19."),
)
"""Dates beside the way back: the last night away before it, the first whole day at home after it."""
