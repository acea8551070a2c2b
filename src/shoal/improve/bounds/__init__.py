"""What lower bounds are worked out with: levels, boxes, prices, neighbours."""
