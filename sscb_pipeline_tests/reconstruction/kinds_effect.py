"""WriteEffect: phrasings that name the change to settle it, and phrasings that leave open whether it is done."""

from __future__ import annotations

from typing import Final

from sscb_pipeline_tests.reconstruction.phrasings import ADOPTS, CAUTIOUS, CORRECTS, NO_USE, UNBOUND, Reading

Table = tuple[tuple[Reading, str], ...]

SETTLING: Final[Table] = (
    (CAUTIOUS, "Let me verify whether the change to QX7R2K truly took effect, by opening it a second time."),
    (CAUTIOUS, "I'd like to make sure the new flights were saved before I report back."),
    (CAUTIOUS, "I'm going to reread QX7R2K to see whether the update stuck."),
    (CAUTIOUS, "Before going on, I want to find out if the rebooking was recorded."),
    (CAUTIOUS, "I am checking that the modification actually landed in the record."),
    (CAUTIOUS, "Let me look at the reservation once more to confirm the flights have been swapped."),
    (CAUTIOUS, "I'll pull the booking up again to check the outcome of the update."),
    (CAUTIOUS, "Let me double-check the change."),
    (CAUTIOUS, "I need to follow up on the status of the rebooking, so I am opening QX7R2K."),
    (CAUTIOUS, "I want to know for certain that the switch to HAT301 was made."),
    (CAUTIOUS, "Give me a second to establish whether the itinerary was in fact replaced."),
    (CAUTIOUS, "I wonder if the change was really made."),
    (CAUTIOUS, "Did the change go through on your side?"),
    (CAUTIOUS, "Did it work?"),
    (CAUTIOUS, "Does your app show HAT301 yet?"),
    (CAUTIOUS, "Could you look in your account whether the switch arrived?"),
    (CAUTIOUS, "The response reads success. Do you see the same on your side?"),
    (CAUTIOUS, "The system says the update to QX7R2K worked; can you see it in your account?"),
    (CAUTIOUS, "The tool tells me that the change to QX7R2K went through. Is it visible to you?"),
    (CAUTIOUS, "Whether the update was applied is what I am about to check."),
    (CAUTIOUS, "I'd rather not promise that the change is in place until I have read the record."),
    (NO_USE, "Let me look at the reservation."),
    (NO_USE, "I'll pull up QX7R2K again."),
    (NO_USE, "Let me check the available flights."),
    (NO_USE, "Let me check whether your fare allows a change."),
    (NO_USE, "Please confirm that you want the flights to be changed."),
    (NO_USE, "Could you confirm whether the flights should be moved?"),
    (NO_USE, "I will check the price of the change."),
    (NO_USE, "Let me verify your identity before we go on."),
    (NO_USE, "Let me verify the details of the reservation first."),
    (NO_USE, "I need to check your payment method."),
    (ADOPTS, "I checked, and the change went through."),
    (ADOPTS, "I have verified that the update was applied."),
    (ADOPTS, "I made sure that your flights were changed."),
    (CORRECTS, "I looked to see whether the change took effect: the reservation still has the old flights."),
)
"""A check or question of whether the change took effect; looking at the reservation is none."""

OPEN_TALK: Final[Table] = (
    (UNBOUND, "I have dealt with your request for QX7R2K."),
    (UNBOUND, "Okay, that's that."),
    (UNBOUND, "Your request for QX7R2K has been handled on my end."),
    (UNBOUND, "I've seen to your request."),
    (UNBOUND, "Your request has been attended to."),
    (UNBOUND, "The matter of QX7R2K is closed."),
    (UNBOUND, "The request for QX7R2K is out of my hands now."),
    (UNBOUND, "Right, that's your request wrapped up."),
    (UNBOUND, "There we go."),
    (UNBOUND, "That takes care of your request for QX7R2K."),
    (UNBOUND, "I have looked after what you asked for."),
    (UNBOUND, "Nothing further is needed from you for QX7R2K."),
    (UNBOUND, "Consider the matter closed."),
    (UNBOUND, "I've finished with your request."),
    (UNBOUND, "Your case has been resolved."),
    (UNBOUND, "QX7R2K is off my list."),
    (ADOPTS, "The change to QX7R2K has been handled."),
    (ADOPTS, "I have dealt with the rebooking: you are on HAT301."),
    (NO_USE, "I will deal with your request now."),
    (NO_USE, "I have not dealt with your request yet."),
    (NO_USE, "I cannot handle that request."),
    (NO_USE, "How would you like me to handle your request?"),
    (NO_USE, "I am handling your request."),
    (NO_USE, "Your request is clear to me."),
    (NO_USE, "I understand your request."),
    (NO_USE, "Your request for QX7R2K is to move to HAT301."),
    (NO_USE, "Let me finish with your request."),
    (NO_USE, "Is there any other matter I can resolve?"),
)
"""Words after which a reader could not say whether the change is claimed to be done."""

UNSURE: Final[Table] = (
    (
        CAUTIOUS,
        "The request went out and was acknowledged, although I cannot be certain yet that the flights were changed.",
    ),
    (CAUTIOUS, "Assuming that the reply can be relied on, QX7R2K has been moved to the new flights."),
    (CAUTIOUS, "The answer was positive. If the booking was really changed is something I have yet to find out."),
    (CAUTIOUS, "Apparently the update to QX7R2K worked, but I don't want to promise that yet."),
    (CAUTIOUS, "I got an OK for the change to QX7R2K. Does it appear on your side too?"),
    (CAUTIOUS, "Can you tell from your e-mail whether QX7R2K was changed?"),
    (CAUTIOUS, "Have the new flights turned up in your app?"),
    (CAUTIOUS, "Let me make sure that the new flights made it into QX7R2K."),
    (CAUTIOUS, "Just checking that the rebooking for QX7R2K worked, one moment."),
    (CAUTIOUS, "Instead of trusting the reply I will reload QX7R2K and see if the new dates are there."),
    (ADOPTS, "QX7R2K is now on HAT301 and HAT302."),
    (ADOPTS, "There you go, QX7R2K shows the new flights now."),
    (ADOPTS, "Your journey now begins with HAT301 on May 22."),
    (ADOPTS, "QX7R2K now consists of HAT301 and HAT302; what is left is the meal."),
    (CORRECTS, "QX7R2K is still on HAT111 and HAT222."),
    (NO_USE, "Is there anything else?"),
    (NO_USE, "QX7R2K would then be on HAT301 and HAT302, if you agree."),
)
"""Effect told with reserve or asked about, and told plainly of the bare reservation id."""

OPEN_TALK_OF_WORK: Final[Table] = (
    (UNBOUND, "My share of the work on QX7R2K is over."),
    (UNBOUND, "I have finished the work on QX7R2K."),
    (UNBOUND, "What you asked me to do for QX7R2K has been attended to."),
    (UNBOUND, "I'm done with your request."),
    (UNBOUND, "I am through with what you wanted on QX7R2K."),
    (UNBOUND, "Your request about QX7R2K is no longer on our desk."),
    (UNBOUND, "My end of it is closed."),
    (UNBOUND, "The task concerning QX7R2K is behind us."),
    (NO_USE, "My part of the work on QX7R2K will be over soon."),
    (NO_USE, "The work on QX7R2K is not over yet."),
    (NO_USE, "I have started the work on QX7R2K."),
)
"""Work that is over, without a word of what came of it."""

DECLARED: Final[Table] = (
    (ADOPTS, "I'd like to confirm that your flights were changed."),
    (ADOPTS, "This is to confirm that QX7R2K has been moved to HAT301."),
    (ADOPTS, "I am writing to confirm that the update to QX7R2K was applied."),
    (ADOPTS, "We hereby confirm that your booking was changed."),
    (ADOPTS, "Please note that QX7R2K was changed."),
    (ADOPTS, "Please be informed that your flights have been swapped."),
    (ADOPTS, "The change went through. Can you see it on your side?"),
    (ADOPTS, "QX7R2K was moved to HAT301. Does it show in your app?"),
    (CAUTIOUS, "The system says that the change went through. Can you see it on your side?"),
    (CAUTIOUS, "According to the tool QX7R2K was changed. Can you see it in your app?"),
    (CAUTIOUS, "I'd like to confirm that your flights were changed before I say more."),
    (CAUTIOUS, "I'd like to confirm whether your flights were changed."),
    (CAUTIOUS, "I would first like to confirm that the change was saved."),
    (CORRECTS, "This is to confirm that the change to QX7R2K was not applied."),
    (CORRECTS, "Please note that QX7R2K has not been changed."),
    (CORRECTS, "Result of the update: not applied."),
    (NO_USE, "This is to confirm that I have read your request."),
    (NO_USE, "Please note that changes are made once you agree."),
)
"""Formal openings that state what follows, and plain statements that stand whatever is asked after them."""
