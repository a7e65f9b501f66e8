-- Uploaded logos, rendered to PNG. The key is the hash of the upload, so the logo of a proposal cannot be exchanged.
create table brand_logo (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  -- PNG of 96 px a side: mark, favicon, PDFs.
  mark bytea not null,
  -- PNG of 512 px a side: app icon.
  icon bytea not null,
  uploaded_at timestamptz not null,
  uploaded_by bigint not null references member (id)
);

-- Name and look of the platform (docs/decisions/0063-brand.md). The row with the latest start is in force.
create table brand (
  version int generated always as identity primary key,
  starts_at timestamptz not null check (starts_at >= created_at),
  name text not null,
  sender_name text,
  accent text check (accent ~ '^#[0-9a-f]{6}$'),
  logo text references brand_logo (hash),
  logo_dark text references brand_logo (hash),
  terms text check (terms like 'https://%'),
  privacy text check (privacy like 'https://%'),
  imprint text check (imprint like 'https://%'),
  support text check (support like 'https://%'),
  created_at timestamptz not null,
  created_by bigint references member (id)
);
create index brand_by_start on brand (starts_at desc, version desc);
