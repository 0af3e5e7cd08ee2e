"""SciNet: find papers by their relations to others in a citation graph."""
