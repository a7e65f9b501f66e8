-- Compiling these statements takes longer than running them: they read few rows, whatever the planner thinks.
alter function team_pending(int) set jit = off;
alter function team_fold(int, bigint) set jit = off;
