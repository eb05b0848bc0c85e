"""What a recorded trajectory looks like to a judge: input contract, renderings, builder, two checkers (JIA §II)."""
