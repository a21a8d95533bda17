"""placeholder"""
Position = tuple[int, ...]
POSITIONS: tuple[Position, ...] = ()
