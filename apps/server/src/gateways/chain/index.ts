/**
 * Gateway to the chain for in-app invoices (BEP20): payment addresses and received transfers.
 * - `ChainGateway` is the port for the deposits module.
 * - `createEvmChain` reads a real chain in web processes; `chainJobs` builds the watcher job.
 * - `openSigner` opens the hot wallet's key; `chainNode` connects to a node.
 * - `sending/keystore.ts` reads and writes key files. The file is not exported here, so that other processes never load it.
 */
export type { ChainGateway, ChainTransfer, TokenAsset } from './chain.ts'
export { CHAIN_WATCHER, type ChainSettings, chainJobs, tokensOf } from './chain.jobs.ts'
export { chainHealth, type ChainIncident, chainIncidents, checkSource, checkTokens } from './chain-health.ts'
export { isNewCopy, markRestored } from './address-generations.ts'
export { assignAddress, unclaimedAddresses } from './unclaimed-addresses.ts'
export { answerIncident, hasOpenIncident, recordIncident } from './incidents.ts'
export { isChainSilent, rejectedTokens } from './chain-cursor.ts'
export { finalBlockOf } from './finality.ts'
export { contractVerdict } from './contract-signature.ts'
export { createEvmChain } from './evm-chain.ts'
export { finalTransfersTo, numberBefore, transferMacs, verifyMacsAfter } from './final-transfer.ts'
export { rescan } from './rescan.ts'
export { unknownTokenRetention, unknownTokenJob } from './unknown-tokens.ts'
export { connectNode, NodeUnavailable } from './rpc.ts'
export { type DepositHoldings, depositHoldings } from './deposit-holdings.ts'
export { type ConfirmedDifference, confirmedDifferences } from './confirmed-differences.ts'
export { explorerLink } from './explorer-link.ts'
export { awaitsConfirmations, isOwnAddress, MIN_AMOUNT } from './chain-transfers.ts'
export { exactOf, unitsOf } from './token-amount.ts'
export { keySigner, type KeystoreAt, openSigner, type PayoutSigner, type RemoteSignerAt, signedText } from './sending/signer.ts'
export {
  type AdoptedTransaction,
  findTransaction,
  type MinedResult,
  type FoundTransaction,
  hasTransfer,
  IMPOSSIBLE_RECEIPT,
  isPossible,
  NotAdopted,
  readResults,
  readTransactions,
  recordMined,
  recordUnmined,
  replaceReceivers,
  sendDue,
  type StoredTransaction,
  storeTransactions,
  type TransactionsRow,
  transactionsSql,
} from './sending/outbox.ts'
export {
  minReplacementFee,
  DIGEST_GAS,
  GAS_LIMIT,
  readContent,
  readSigned,
  type SignedOrder,
  type TransferContent,
} from './sending/transfer-order.ts'
export { chooseNonce, ForeignNonce } from './sending/choose-nonce.ts'
export { type Replacing, replaceUnmined } from './sending/replace-unmined.ts'
export { type Removed, resendRemoved } from './sending/resend-removed.ts'
export { type BranchKeys, branchKeys, openBranch } from './sweeping/branch-keys.ts'
export { adoptMove } from './sweeping/adopt-move.ts'
export { tokenSweepJob, type TokenSweepPorts } from './sweeping/token-sweep.job.ts'
export { type TokenSweepDelay, tokenSweepDelays } from './sweeping/token-sweep-problems.queries.ts'
export { assertChainOf, removedAmong, type Sources, sourcesOf } from './sending/sources.ts'
export { type MinedTransaction, type Sent, type WalletNode, chainNode } from './chain-node.ts'
