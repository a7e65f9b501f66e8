import { channel } from 'node:diagnostics_channel'

/**
 * Announces the text of each statement to subscribers in this process, who subscribe before a database is opened. Texts only:
 * their values are the members' data.
 */
export const statementChannel = channel('tizara.statement')
