import { playDay } from './day-of-staff.ts'

playDay('postgres')
