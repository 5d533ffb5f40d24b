/** The arguments of an invocation do not fit the method. Answered as ASP.NET does, without details. */
export class InvalidHubArguments extends Error {
  override readonly name = 'InvalidHubArguments';
}
