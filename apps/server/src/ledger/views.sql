-- Returns the two entries of each transfer, with signed amounts.
create view ledger_entry as
  select id as transfer_id, posting_id, debit_account as account_id, -amount as amount, debit_balance_after as balance_after,
    credit_account as other_account_id, asset, kind, cause_type, cause_id, rule_version, pending, created_at from ledger_transfer
  union all
  select id, posting_id, credit_account, amount, credit_balance_after,
    debit_account, asset, kind, cause_type, cause_id, rule_version, pending, created_at from ledger_transfer;
