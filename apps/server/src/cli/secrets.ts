/**
 * `npm run secrets`: prints new secrets as lines of a settings file. `secrets NAME` prints only that one, for a rotation.
 * `secrets hot-wallet FILE` creates a hot wallet: writes its key to a new file and prints its address and the file's password.
 * `secrets deposit-branch FILE` creates the key branch of invoice addresses: writes its private key to a new file and prints
 * its public key and the file's password.
 * `secrets backup-key FILE` creates a key for encrypted backups: writes its private key to a new file and prints its public key.
 */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { HDKey } from '@scure/bip32'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { branchKeys, keySigner } from '../gateways/chain/index.ts'
import { writeKeystore } from '../gateways/chain/sending/keystore.ts'
import { commandLine } from './command-line.mjs'
import { errorText } from '../platform/runtime/error-text.ts'

/** Secrets that the platform creates. The provider issues its API key and shares the notice secret. */
const OWN = ['TOKEN_SECRET', 'DATA_KEY', 'PAYMENT_PROVIDER_SECRET']

const [secret, file] = commandLine('secrets').positionals
if (secret === 'hot-wallet' && file !== undefined) createHotWallet(file)
else if (secret === 'deposit-branch' && file !== undefined) createBranch(file)
else if (secret === 'backup-key' && file !== undefined) await createBackupKey(file)
else printSecrets()

function printSecrets(): void {
  const names = secret === undefined ? OWN : OWN.filter((name) => name === secret)
  for (const name of names) console.log(`${name}=${randomBytes(32).toString('base64url')}`)
}

function createHotWallet(keystoreFile: string): void {
  const key = randomBytes(32)
  const password = writeSecret(keystoreFile, key)
  if (password !== undefined)
    console.log(`# hot wallet ${keySigner(key).address}\nPAYOUT_KEYSTORE=${keystoreFile}\nPAYOUT_KEYSTORE_PASSWORD=${password}`)
}

function createBranch(keystoreFile: string): void {
  const { privateExtendedKey: xprv, publicExtendedKey: xpub } = HDKey.fromMasterSeed(randomBytes(64)).derive("m/44'/60'/0'")
  const password = writeSecret(keystoreFile, Buffer.from(xprv))
  if (password === undefined) return
  const gas = branchKeys(xprv, xpub).addressAt('gas')
  console.log(`# for all processes\nCHAIN_XPUB=${xpub}\n# for the worker only; fund ${gas} with the chain's native coin for gas`)
  console.log(`SWEEP_KEYSTORE=${keystoreFile}\nSWEEP_KEYSTORE_PASSWORD=${password}`)
}

/**
 * Writes a secret into a new file, readable only by its owner. It never replaces an existing file.
 * @returns the password that decrypts it; undefined, with a message, if the file was not written
 */
function writeSecret(target: string, plaintext: Uint8Array): string | undefined {
  const password = randomBytes(32).toString('base64url')
  return writeNew(target, writeKeystore(plaintext, password)) ? password : undefined
}

/** Writes the key in the format of `age-keygen`, so that age can use it too. */
async function createBackupKey(target: string): Promise<void> {
  const identity = await generateX25519Identity()
  const recipient = await identityToRecipient(identity)
  if (!writeNew(target, `# public key: ${recipient}\n${identity}\n`)) return
  console.log(`# keep ${target} away from the servers: it decrypts every backup\nBACKUP_RECIPIENTS=${recipient}`)
}

/**
 * Writes a new file that only its owner can read.
 * @returns false, with a message, if it was not written
 */
function writeNew(target: string, content: string): boolean {
  try {
    writeFileSync(target, content, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    console.error(errorText(error))
    process.exitCode = 1
    return false
  }
}
