"""From candidate frames to admitted seeds: frozen order, injection context, executed witness, disposition (SSC §IV-B)."""
