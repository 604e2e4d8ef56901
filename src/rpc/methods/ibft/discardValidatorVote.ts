import { discardValidatorVote } from '../../validators/discardValidatorVote.ts'

export const ibft_discardValidatorVote = discardValidatorVote('ibft')
