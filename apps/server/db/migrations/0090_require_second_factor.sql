-- When a session proved a second factor; staff calls answer only sessions that did.
alter table session add column second_factor_at timestamptz;

-- Who lost the authenticator app gets it taken off by two other people.
alter table staff_change
  drop constraint staff_change_subject_check,
  add constraint staff_change_subject_check check (subject in
    ('price', 'settings', 'plan', 'nft', 'popup', 'limits', 'programme', 'credit', 'fund', 'staff', 'undo', 'second-factor'));
