-- How many chunks a segment holds: after a merge, fewer than its range of ids is long. Merging goes by it.
ALTER TABLE segments ADD chunk_count integer;
UPDATE segments SET chunk_count = stop_chunk_id - first_chunk_id;
ALTER TABLE segments ALTER chunk_count SET NOT NULL;
