/** A member of the demo cast: name, sponsor, and joining day. */
export interface CastMember {
  name: string
  email: string
  /** The sponsor's email address; absent at the top. */
  sponsor?: string
  /** Days before today. */
  joined: number
  role?: 'SUPPORT' | 'ADMIN'
  /** Reason to try this account, printed at the start. */
  part: string
  unverified?: boolean
  blocked?: boolean
  specialRcm?: boolean
}

/** Password of every demo account. Production refuses to start with demo data. */
export const DEMO_PASSWORD = 'Play-money-2026'

/** Demo account with the most data. */
export const demoLeader = { email: 'amara@example.com', password: DEMO_PASSWORD }

/** Story length in days. */
export const STORY_DAYS = 45

export const cast: readonly CastMember[] = [
  {
    name: 'Amara Okafor',
    email: 'amara@example.com',
    joined: 45,
    part: 'leader of a team three levels deep, with stakes, NFTs and history',
  },
  {
    name: 'Bruno Keller',
    email: 'bruno@example.com',
    sponsor: 'amara@example.com',
    joined: 43,
    part: 'in Amara’s team, level 1, with a team of his own',
  },
  { name: 'Chiara Rossi', email: 'chiara@example.com', sponsor: 'amara@example.com', joined: 42, part: 'in Amara’s team, level 1' },
  { name: 'Dev Patel', email: 'dev@example.com', sponsor: 'bruno@example.com', joined: 38, part: 'in Amara’s team, level 2' },
  { name: 'Elif Demir', email: 'elif@example.com', sponsor: 'bruno@example.com', joined: 36, part: 'in Amara’s team, level 2' },
  { name: 'Felix Brandt', email: 'felix@example.com', sponsor: 'chiara@example.com', joined: 33, part: 'in Amara’s team, level 2' },
  { name: 'Grace Mwangi', email: 'grace@example.com', sponsor: 'dev@example.com', joined: 28, part: 'in Amara’s team, level 3' },
  { name: 'Hugo Martin', email: 'hugo@example.com', sponsor: 'felix@example.com', joined: 21, part: 'in Amara’s team, level 3' },
  {
    name: 'Rafael Costa',
    email: 'rafael@example.com',
    sponsor: 'amara@example.com',
    joined: 40,
    specialRcm: true,
    part: 'special RCM member with an RCM wallet',
  },
  { name: 'Nova Lindqvist', email: 'nova@example.com', joined: 1, part: 'fresh member, nothing done yet' },
  { name: 'Uma Fischer', email: 'uma@example.com', joined: 0, unverified: true, part: 'has not verified the e-mail address' },
  { name: 'Blake Turner', email: 'blake@example.com', joined: 12, blocked: true, part: 'blocked by staff' },
  { name: 'Sana Support', email: 'support@example.com', joined: 45, role: 'SUPPORT', part: 'staff: support' },
  { name: 'Ada Admin', email: 'admin@example.com', joined: 45, role: 'ADMIN', part: 'staff: admin' },
  {
    name: 'Otto Admin',
    email: 'checker@example.com',
    joined: 45,
    role: 'ADMIN',
    part: 'staff: second admin, to approve what the first proposes',
  },
]
