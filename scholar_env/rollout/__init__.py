"""Recording, replaying and running whole rollouts."""
