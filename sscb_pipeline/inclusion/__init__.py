"""From candidate frames to admitted seeds: frozen order, executed witness, disposition (SSC §IV-B)."""
