"""Public names of this room, for type checkers alone; written by `make docs`."""

from shoal.improve.lower_bound import LowerBound as LowerBound, lower_bound as lower_bound
from shoal.measures._coarseness import CellOutcomes as CellOutcomes, Coarseness as Coarseness, cells_by_outcome as cells_by_outcome, coarseness as coarseness
from shoal.measures._distances import ColumnDistance as ColumnDistance, PairDistance as PairDistance, column_distances as column_distances, contingency as contingency, pair_distances as pair_distances
from shoal.measures._informed import entropy_loss as entropy_loss, gain_ratio_loss as gain_ratio_loss, informed_losses as informed_losses, mutual_information_loss as mutual_information_loss
from shoal.measures._mean_queries import MeanError as MeanError, MeanQuery as MeanQuery, mean_query_errors as mean_query_errors, mean_workload as mean_workload
from shoal.measures._pairs import pair as pair, pair_of_release as pair_of_release
from shoal.measures._queries import CountQuery as CountQuery, workload as workload
from shoal.measures._relations import Association as Association, associations as associations, correlation_change as correlation_change
from shoal.measures._weighing import weighed as weighed, weights as weights
from shoal.measures.protection.degree_spread import degree_spread as degree_spread
from shoal.measures.protection.sensitivity_distance import class_sensitivity_distance as class_sensitivity_distance, mean_sensitivity_distance as mean_sensitivity_distance, sensitivity_distance as sensitivity_distance
from shoal.measures.protection.vulnerability import highly_sensitive as highly_sensitive, vulnerability as vulnerability, vulnerable_share as vulnerable_share
from shoal.measures.utility.average_class_size import average_class_size as average_class_size
from shoal.measures.utility.count_query_error import average_query_error as average_query_error, count_query_error as count_query_error
from shoal.measures.utility.discernibility import discernibility as discernibility
from shoal.measures.utility.generalization_loss_rate import generalization_loss_rate as generalization_loss_rate
from shoal.measures.utility.iloss import iloss as iloss
from shoal.measures.utility.iloss_rate import iloss_rate as iloss_rate
from shoal.measures.utility.largest_group import GroupSizes as GroupSizes, group_sizes as group_sizes, largest_group as largest_group
from shoal.measures.utility.loss import loss as loss
from shoal.measures.utility.marginal_distance import marginal_distance as marginal_distance
from shoal.measures.utility.mean_query_error import mean_query_error as mean_query_error
from shoal.measures.utility.noise_ratio import noise_bound as noise_bound, noise_ratio as noise_ratio
from shoal.measures.utility.pair_distance import pair_distance as pair_distance
from shoal.measures.utility.reconstruction_distance import reconstruction_distance as reconstruction_distance
from shoal.measures.utility.record_missing_rate import record_missing_rate as record_missing_rate
from shoal.measures.utility.sse import sse as sse
from shoal.measures.utility.starred_rate import starred_rate as starred_rate
from shoal.measures.utility.suppression_loss_rate import suppression_loss_rate as suppression_loss_rate
from shoal.measures.utility.value_missing_rate import value_missing_rate as value_missing_rate
