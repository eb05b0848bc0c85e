"""What an agent saw: steps, the source record, pairing of calls with results, and the lossless codec.

A step is numbered from 0 in order of delivery to the agent; nothing else is time (SSC §III-A). Nothing the
agent could not see is ever in a trajectory.
"""
