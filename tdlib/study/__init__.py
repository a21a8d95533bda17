"""Train, measure, play and store what experiments ask for; knows no paper."""
