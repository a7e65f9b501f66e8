import type { ReportPorts } from '../modules/import/index.ts'
import { digestLines, signatureLine } from '../modules/staff/index.ts'
import { importedRoot } from '../modules/trust/index.ts'

/** Proof and signature of the report of an import. */
export const importReport: ReportPorts = {
  root: importedRoot,
  sign: (text, { dataKey }) => signatureLine(dataKey, digestLines('', text)),
}
