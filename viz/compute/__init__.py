"""The questions that pages ask the model; functions whose results all visitors share are here."""
