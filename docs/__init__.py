"""The pages, what writes the generated ones, and the pictures on them."""
