"""Reading, checking and writing the folder of a trained model."""
