/** `npm run secrets`: prints new secrets as lines of a settings file; `secrets NAME` only that one, for a rotation. */
import { randomBytes } from 'node:crypto'
import { typed } from '../platform/release.ts'

/** What the house makes itself; the provider gives its own key, and takes or gives the secret of its notices. */
const OWN = ['TOKEN_SECRET', 'DATA_KEY', 'PAYMENT_PROVIDER_SECRET']

const [asked] = process.argv.slice(2)
const names = asked === undefined ? OWN : OWN.filter((name) => name === asked)
if (names.length === 0) {
  console.error(`${typed('secrets')} [${OWN.join('|')}]`)
  process.exitCode = 2
}
for (const name of names) console.log(`${name}=${randomBytes(32).toString('base64url')}`)
