import * as accountClosing from './account-closing.ts'
import * as apiKeys from './api-keys.ts'
import * as announcements from './announcements.ts'
import * as auth from './auth.ts'
import * as coin from './coin.ts'
import * as contactDetails from './contact-details.ts'
import * as deposits from './deposits.ts'
import * as languages from './languages.ts'
import * as members from './members.ts'
import * as nfts from './nfts.ts'
import * as notices from './notices.ts'
import * as noticesUnread from './notices-unread.ts'
import * as ownData from './own-data.ts'
import * as passkeys from './passkeys.ts'
import * as rewards from './rewards.ts'
import * as rewardsEarnings from './rewards-earnings.ts'
import type { Route } from './route.ts'
import * as settings from './settings.ts'
import * as staff from './staff.ts'
import * as staffAccounting from './staff-accounting.ts'
import * as staffApiKeys from './staff-api-keys.ts'
import * as staffAudit from './staff-audit.ts'
import * as staffBusiness from './staff-business.ts'
import * as staffCases from './staff-cases.ts'
import * as staffChanges from './staff-changes.ts'
import * as staffPlatform from './staff-platform.ts'
import * as staffEvents from './staff-events.ts'
import * as staffWebhooks from './staff-webhooks.ts'
import * as staffHealth from './staff-health.ts'
import * as staffHotWallet from './staff-hot-wallet.ts'
import * as staffBrand from './staff-brand.ts'
import * as staffPayoutRules from './staff-payout-rules.ts'
import * as staffPaymentReturns from './staff-payment-returns.ts'
import * as staffJobs from './staff-jobs.ts'
import * as staffImports from './staff-imports.ts'
import * as staffMemberActs from './staff-member-acts.ts'
import * as staffMemberPages from './staff-member-pages.ts'
import * as staffLedger from './staff-ledger.ts'
import * as staffMails from './staff-mails.ts'
import * as staffMembers from './staff-members.ts'
import * as staffProgramme from './staff-programme.ts'
import * as staffPurchases from './staff-purchases.ts'
import * as staffQueues from './staff-queues.ts'
import * as staffScreening from './staff-screening.ts'
import * as staffSavedSegments from './staff-saved-segments.ts'
import * as staffRewardRuns from './staff-reward-runs.ts'
import * as staffRewards from './staff-rewards.ts'
import * as staffTermsOfUse from './staff-terms-of-use.ts'
import * as staffTickets from './staff-tickets.ts'
import * as staffTraces from './staff-linked-accounts.ts'
import * as staking from './staking.ts'
import * as support from './support.ts'
import * as team from './team.ts'
import * as transfers from './transfers.ts'
import * as termsOfUse from './terms-of-use.ts'
import * as trust from './trust.ts'
import * as wallets from './wallets.ts'
import * as walletsMovements from './wallets-movements.ts'
import * as walletsStatements from './wallets-statements.ts'
import * as withdrawals from './withdrawals.ts'
import * as withdrawalsGuard from './withdrawals-guard.ts'

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'reply' in value

const modules = {
  auth,
  members,
  languages,
  termsOfUse,
  contactDetails,
  ownData,
  accountClosing,
  notices,
  noticesUnread,
  passkeys,
  apiKeys,
  settings,
  wallets,
  walletsMovements,
  walletsStatements,
  coin,
  transfers,
  deposits,
  withdrawals,
  withdrawalsGuard,
  staking,
  nfts,
  rewards,
  rewardsEarnings,
  team,
  support,
  announcements,
  trust,
  staff,
  staffQueues,
  staffMembers,
  staffMemberActs,
  staffMemberPages,
  staffScreening,
  staffImports,
  staffSavedSegments,
  staffRewardRuns,
  staffRewards,
  staffCases,
  staffChanges,
  staffHealth,
  staffAudit,
  staffBusiness,
  staffJobs,
  staffPlatform,
  staffLedger,
  staffMails,
  staffProgramme,
  staffPurchases,
  staffTermsOfUse,
  staffTickets,
  staffTraces,
  staffHotWallet,
  staffPaymentReturns,
  staffPayoutRules,
  staffAccounting,
  staffApiKeys,
  staffEvents,
  staffWebhooks,
  staffBrand,
}

const routesIn = (file: object): readonly Route[] => Object.values<unknown>({ ...file }).filter(isRoute)

/** Returns a module's routes, by its file name. */
export const routesOf = (name: keyof typeof modules): readonly Route[] => routesIn(modules[name])

export type RouteFile = keyof typeof modules

/** Names of the files of staff calls. */
export const staffFiles = Object.keys(modules).filter((name): name is RouteFile => name.startsWith('staff'))

type ExportedRoute = { [File in RouteFile]: (typeof modules)[File][keyof (typeof modules)[File]] }[RouteFile]
/** Names of the staff calls, each of which names its role. */
export type StaffCall = Extract<ExportedRoute, { access: 'staff'; role: string }>['name']

/** All routes in order of the modules. The server binds these routes, and the API page lists them. */
export const allRoutes: readonly Route[] = Object.values<object>(modules).flatMap(routesIn)
