/**
 * Script of the proof checker, one HTML file that checks proofs without a network (apps/web/scripts/build-checker.mjs). It has the same
 * rules as the app, because both import them.
 */
import { checkFiles, type ProofFile } from '@tizara/contract/balance-proof/check-files'
import { t } from '@tizara/languages'

const inputOf = (id: string): HTMLInputElement => {
  const found = document.getElementById(id)
  if (!(found instanceof HTMLInputElement)) throw new Error(`the page has no input ${id}`)
  return found
}
const [proofs, history, member, results] = [inputOf('proofs'), inputOf('history'), inputOf('member'), document.getElementById('results')]

const open = async (file: File): Promise<ProofFile> => ({ name: file.name, text: await file.text() })

/** Number of the newest check. An older one that ends later shows nothing. */
let newest = 0

/** Checks the chosen files, and shows a line for each. */
async function check(): Promise<void> {
  newest += 1
  const number = newest
  const [historyFile] = history.files ?? []
  const found = await checkFiles(await Promise.all(Array.from(proofs.files ?? [], open)), {
    member: member.value.trim() || undefined,
    history: historyFile === undefined ? undefined : await open(historyFile),
  })
  if (number !== newest) return
  results?.replaceChildren(
    ...found.map(({ holds, line }) => {
      const item = document.createElement('li')
      item.className = holds ? 'ok' : 'refused'
      item.textContent = line
      return item
    }),
  )
}

for (const input of [proofs, history, member])
  input.addEventListener('change', () => {
    check().catch((error: unknown) => {
      if (results !== null) results.textContent = t('The file cannot be read: {error}', { error: String(error) })
    })
  })
