"""From rollouts to tables: aggregation, intervals, reports."""
