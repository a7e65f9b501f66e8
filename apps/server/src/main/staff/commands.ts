import type { Command } from './command.ts'
import { changeCommands } from './change-commands.ts'
import { factorCommands } from './factor-commands.ts'
import { memberCommands } from './member-commands.ts'
import { purchaseCommands } from './purchase-commands.ts'
import { queueCommands } from './queue-commands.ts'
import { rewardCommands } from './reward-commands.ts'

/** The commands by name. */
export const commands: ReadonlyMap<string, Command> = new Map([
  ...queueCommands,
  ...memberCommands,
  ...factorCommands,
  ...purchaseCommands,
  ...changeCommands,
  ...rewardCommands,
])

/** What `help` prints. */
export const HELP = `npm run staff -- COMMAND … --as STAFF_EMAIL [--reason TEXT]

Requests
  queue [withdrawals|bridges|deposits]   what waits for a decision
  approve ID [--tx HASH]                 approves a request; above the limit the second approval pays
  reject ID --reason TEXT                rejects it; what was held goes back
  tickets                                tickets, those that wait first
  answer TICKET TEXT                     answers a ticket
  close TICKET                           closes a ticket

Members
  members TEXT                           finds members
  traces                                 members who look like somebody above who earns from them
  block EMAIL --reason TEXT              blocks a member and ends all sessions
  unblock EMAIL --reason TEXT            lets the member in again
  end-sessions EMAIL --reason TEXT       ends all sessions
  reset-second-factor EMAIL --reason TEXT
                                         takes a lost authenticator app off; another admin approves
  special-rcm EMAIL on|off --reason TEXT makes a member special or ordinary
  credit-rcm EMAIL AMOUNT --reason TEXT  credits coin to a special member's RCM wallet
  create-staff EMAIL SUPPORT|ADMIN|MEMBER --reason TEXT [--name NAME] [--phone PHONE]
                                         gives a role; the first admin needs no --as
  purchases EMAIL                        what a member bought and staked, and what can be undone
  undo coin|stake|nft ID --reason TEXT   proposes to undo a purchase; another one approves it as a change

What the house promises (one proposes, another one approves)
  set-price PRICE --reason TEXT          proposes a coin price
  propose price|settings|plan|nft|popup|limits|programme JSON --reason TEXT
                                         proposes a change; for example limits '{"openInvoices": 3}'
  changes                                what was proposed
  approve-change ID                      puts a change in force; never by its proposer
  refuse-change ID --reason TEXT         refuses a change, or takes an own one back

Rewards and audit
  pool                                   what the reward pool holds, promises and owes
  fund COIN|USD AMOUNT --reason TEXT [--from stock|operator]
                                         moves money into the reward pool
  run                                    pays what is due now
  audit [--search TEXT]                  who did what

Lists take --page N.`
