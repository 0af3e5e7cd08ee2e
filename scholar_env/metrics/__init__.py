"""Measures: pure functions, the tracker that follows an episode, further terms, and the reward made of them."""
