"""The one Gymnasium environment and what it is made of."""
