/** Fault that a search must find: a text that exists once in a file, and its replacement. */
export interface PlantedFault {
  name: string
  file: string
  before: string
  after: string
}
