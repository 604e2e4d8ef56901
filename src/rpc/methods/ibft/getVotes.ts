import { getVotes } from '../shared/getVotes.ts'

export const ibft_getVotes = getVotes('ibft')
