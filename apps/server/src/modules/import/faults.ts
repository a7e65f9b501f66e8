/** One fault in the files of an import. */
export interface Fault {
  file: string
  /** Line in the file, from 1; undefined for a fault of the whole file. */
  line?: number | undefined
  /** Name of the column; undefined for a fault of the whole line. */
  column?: string | undefined
  message: string
}

/** Number of faults that a check lists. */
export const MAX_LISTED_FAULTS = 1_000

/** Collects faults. Keeps the first 1,000 and counts the others, so that a wrong file needs no unlimited memory. */
export class FaultList {
  readonly listed: Fault[] = []
  count = 0

  add(fault: Fault): void {
    this.count += 1
    if (this.listed.length < MAX_LISTED_FAULTS) this.listed.push(fault)
  }
}

/** Formats a fault as one line: `members.csv:17: email: Invalid amount`. */
export const formatFault = ({ file, line, column, message }: Fault): string =>
  [line === undefined ? file : `${file}:${line}`, ...(column === undefined ? [] : [column]), message].join(': ')

/** Reason why an import stores or adds nothing. */
export class ImportRejected extends Error {}
