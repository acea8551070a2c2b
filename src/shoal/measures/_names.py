"""Public names of this room, for type checkers alone; written by `make docs`."""

from shoal.measures.protection.degree_spread import degree_spread as degree_spread
from shoal.measures.protection.sensitivity_distance import class_sensitivity_distance as class_sensitivity_distance
from shoal.measures.protection.sensitivity_distance import mean_sensitivity_distance as mean_sensitivity_distance
from shoal.measures.protection.sensitivity_distance import sensitivity_distance as sensitivity_distance
from shoal.measures.protection.vulnerability import highly_sensitive as highly_sensitive
from shoal.measures.protection.vulnerability import vulnerability as vulnerability
from shoal.measures.protection.vulnerability import vulnerable_share as vulnerable_share
from shoal.measures.utility.average_class_size import average_class_size as average_class_size
from shoal.measures.utility.count_query_error import average_query_error as average_query_error
from shoal.measures.utility.count_query_error import count_query_error as count_query_error
from shoal.measures.utility.discernibility import discernibility as discernibility
from shoal.measures.utility.generalization_loss_rate import generalization_loss_rate as generalization_loss_rate
from shoal.measures.utility.iloss import iloss as iloss
from shoal.measures.utility.iloss_rate import iloss_rate as iloss_rate
from shoal.measures.utility.largest_group import GroupSizes as GroupSizes
from shoal.measures.utility.largest_group import group_sizes as group_sizes
from shoal.measures.utility.largest_group import largest_group as largest_group
from shoal.measures.utility.loss import loss as loss
from shoal.measures.utility.noise_ratio import noise_bound as noise_bound
from shoal.measures.utility.noise_ratio import noise_ratio as noise_ratio
from shoal.measures.utility.reconstruction_distance import reconstruction_distance as reconstruction_distance
from shoal.measures.utility.record_missing_rate import record_missing_rate as record_missing_rate
from shoal.measures.utility.sse import sse as sse
from shoal.measures.utility.starred_rate import starred_rate as starred_rate
from shoal.measures.utility.suppression_loss_rate import suppression_loss_rate as suppression_loss_rate
from shoal.measures.utility.value_missing_rate import value_missing_rate as value_missing_rate
