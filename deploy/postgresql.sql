-- Creates the two roles: `tizara_owner` for `tizara migrate` and `restore`, and `tizara_app`, which cannot change the schema,
-- for all other commands. Run it once as the database's administrator, before the first migrate:
--   psql -v owner_password=… -v app_password=… -f deploy/postgresql.sql postgres
-- Creates another database for the same roles, to restore a backup into:
--   psql -v database=NAME -f deploy/postgresql.sql postgres
\set ON_ERROR_STOP on
\if :{?database}
\else
\set database tizara
\endif
select count(*) = 0 as first from pg_roles where rolname in ('tizara_owner', 'tizara_app') \gset
\if :first
create role tizara_owner login password :'owner_password';
create role tizara_app login password :'app_password';
\endif
-- Locale C sorts the same way on every machine, independent of its language and library versions.
create database :"database" owner tizara_owner encoding 'UTF8' locale_provider libc locale 'C' template template0;
\connect :"database"
revoke all on database :"database" from public;
grant connect on database :"database" to tizara_app;
revoke create on schema public from public;
grant usage, create on schema public to tizara_owner;
grant usage on schema public to tizara_app;
alter default privileges for role tizara_owner in schema public grant select, insert, update, delete on tables to tizara_app;
alter default privileges for role tizara_owner in schema public grant usage, select on sequences to tizara_app;
-- With replicas, lets the worker measure how far they lag (it also shows the statements of other roles):
-- grant pg_read_all_stats to tizara_app;
