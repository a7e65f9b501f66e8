/**
 * `npm run secrets`: prints new secrets as lines of a settings file; `secrets NAME` only that one, for a rotation;
 * `secrets hot-wallet FILE` makes a hot wallet: its key in a new file, its address and the file's password as lines of settings.
 */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { keySigner, writeKeystore } from '../gateways/chain/index.ts'
import { typed } from '../platform/release.ts'

/** What the house makes itself; the provider gives its own key, and takes or gives the secret of its notices. */
const OWN = ['TOKEN_SECRET', 'DATA_KEY', 'PAYMENT_PROVIDER_SECRET']

const [asked, file] = process.argv.slice(2)
if (asked === 'hot-wallet' && file !== undefined) makeHotWallet(file)
else printSecrets()

function printSecrets(): void {
  const names = asked === undefined ? OWN : OWN.filter((name) => name === asked)
  if (names.length === 0) {
    console.error(`${typed('secrets')} [${OWN.join('|')}]\n${typed('secrets')} hot-wallet FILE`)
    process.exitCode = 2
  }
  for (const name of names) console.log(`${name}=${randomBytes(32).toString('base64url')}`)
}

/** The file is written once and readable by its owner alone; an existing one is never replaced. */
function makeHotWallet(place: string): void {
  const [key, password] = [randomBytes(32), randomBytes(32).toString('base64url')]
  try {
    writeFileSync(place, writeKeystore(key, password), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
    return
  }
  console.log(`# the hot wallet ${keySigner(key).address}\nPAYOUT_KEYSTORE=${place}\nPAYOUT_KEYSTORE_PASSWORD=${password}`)
}
