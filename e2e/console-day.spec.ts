import { playDay } from './day-of-staff.ts'

playDay('embedded')
