"""The three renderings, one module each: a record's messages as text blocks; `frame` makes packets of them."""
