"""What a model does when one thing is changed: a mask, an activation, the order of the words."""
