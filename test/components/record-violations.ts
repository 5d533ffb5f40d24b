// Loaded by the page of content-security-policy.test.ts before everything else, so that nothing escapes it.
const recorded: string[] = [];
(globalThis as { violations?: readonly string[] }).violations = recorded;
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
  recorded.push(`${violatedDirective} ${blockedURI} ${sourceFile}`);
});
