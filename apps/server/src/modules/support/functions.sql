-- Returns the member who opened a ticket.
create or replace function ticket_owner(ticket bigint) returns bigint language sql stable as $$
  select member_id from ticket t where t.id = ticket_owner.ticket
$$;
