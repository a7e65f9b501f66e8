import { plain } from './strip-control-characters.ts'

/** What somebody wrote, line by line; forms send `\r\n` between two. */
export const Lines = ({ text }: { text: string }) => text.split(/\r\n|\r|\n/).map((line, place) => <p key={place}>{plain(line)}</p>)
