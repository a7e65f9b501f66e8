-- The two roles, as the database's administrator: `tizara_owner` for `tizara migrate` and `restore`, `tizara_app` for
-- everything else, which changes no schema. Run it once, before the first migrate:
--   psql -v owner_password=… -v app_password=… -f deploy/postgresql.sql postgres
\set ON_ERROR_STOP on
create role tizara_owner login password :'owner_password';
create role tizara_app login password :'app_password';
-- Locale C: letters and order are the same on every machine, whatever language it speaks and whichever version its libraries have.
create database tizara owner tizara_owner encoding 'UTF8' locale_provider libc locale 'C' template template0;
\connect tizara
revoke all on database tizara from public;
grant connect on database tizara to tizara_app;
revoke create on schema public from public;
grant usage, create on schema public to tizara_owner;
grant usage on schema public to tizara_app;
alter default privileges for role tizara_owner in schema public grant select, insert, update, delete on tables to tizara_app;
alter default privileges for role tizara_owner in schema public grant usage, select on sequences to tizara_app;
-- Where there are replicas, so that the worker can tell how far they are behind (it shows statements of other roles, too):
-- grant pg_read_all_stats to tizara_app;
