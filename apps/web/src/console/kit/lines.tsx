import { plain } from './strip-control-characters.ts'

/** Renders written text line by line. Forms separate lines with `\r\n`. */
export const Lines = ({ text }: { text: string }) => text.split(/\r\n|\r|\n/).map((line, index) => <p key={index}>{plain(line)}</p>)
