import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * The defaults of options, as the code has them and not as a comment says: by the declaration of the option. Read from
 *
 * - constants whose type holds the option: `DEFAULT_TIMING: LockTiming = { leaseMs: 300_000 }`,
 * - destructuring: `const { log = jsonLog() } = options`,
 * - `options.publish ?? 'plain'`.
 *
 * Only inside the part (server, core …) that declares the option, and only where the code is of one mind.
 *
 * @param {{ program: ts.Program, checker: ts.TypeChecker }} sources
 * An option that is handed on to another of the same name has that one's number, which is kept under the name.
 *
 * @returns {ReadonlyMap<ts.Node | string, string>}
 */
export function defaultsOf({ program, checker }) {
  /** @type {Map<ts.Node, Set<string>>} */
  const found = new Map();
  const note = (/** @type {ts.Symbol | undefined} */ option, /** @type {ts.Expression} */ value) => {
    const [declaration] = option?.declarations ?? [];
    if (declaration === undefined || !ts.isPropertySignature(declaration)) return;
    if (partOf(declaration) !== partOf(value)) return;
    const texts = found.get(declaration) ?? new Set();
    found.set(declaration, texts.add(textOf(value, checker)));
  };
  const visit = (/** @type {ts.Node} */ node) => {
    if (
      ts.isVariableDeclaration(node) &&
      ts.isIdentifier(node.name) &&
      node.name.text.startsWith('DEFAULT_')
    ) {
      for (const [option, value] of constantsIn(node, checker)) note(option, value);
    } else if (ts.isBindingElement(node) && node.initializer !== undefined) {
      const name = node.propertyName ?? node.name;
      if (ts.isObjectBindingPattern(node.parent) && ts.isIdentifier(name)) {
        note(checker.getTypeAtLocation(node.parent.parent).getProperty(name.text), node.initializer);
      }
    } else if (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken
    ) {
      if (ts.isPropertyAccessExpression(node.left))
        note(checker.getSymbolAtLocation(node.left.name), node.right);
    }
    ts.forEachChild(node, visit);
  };
  for (const file of program.getSourceFiles()) {
    const { fileName } = file;
    if (fileName.startsWith(ROOT) && !fileName.includes('node_modules')) visit(file);
  }
  /** @type {Map<ts.Node | string, string>} */
  const defaults = new Map();
  /** @type {Map<string, Set<string>>} */
  const numbers = new Map();
  for (const [option, texts] of found) {
    const [text, ...others] = texts;
    if (text === undefined || others.length > 0) continue;
    defaults.set(option, text);
    const name = /** @type {ts.PropertySignature} */ (option).name.getText();
    if (/^[\d,]+$/.test(text)) numbers.set(name, (numbers.get(name) ?? new Set()).add(text));
  }
  for (const [name, texts] of numbers) {
    const [text, ...others] = texts;
    if (text !== undefined && others.length === 0) defaults.set(name, text);
  }
  return defaults;
}

/**
 * What an element's properties are before anybody sets them: by name, from the constructors of its class and of those
 * it extends.
 *
 * @param {ts.Symbol} element
 * @param {ts.TypeChecker} checker
 * @returns {ReadonlyMap<string, string>}
 */
export function elementDefaults(element, checker) {
  /** @type {Map<string, string>} */
  const found = new Map();
  const classes = [checker.getDeclaredTypeOfSymbol(element)];
  for (let type = classes.pop(); type !== undefined; type = classes.pop()) {
    classes.push(...checker.getBaseTypes(/** @type {ts.InterfaceType} */ (type)));
    const [declaration] = type.symbol.declarations ?? [];
    if (declaration === undefined || !ts.isClassDeclaration(declaration)) continue;
    const body = declaration.members.find(ts.isConstructorDeclaration)?.body;
    for (const statement of body?.statements ?? []) {
      if (!ts.isExpressionStatement(statement)) continue;
      /** @type {string[]} */
      const set = [];
      let value = statement.expression;
      // `this.api = this.hub = ''`
      while (ts.isBinaryExpression(value) && ts.isPropertyAccessExpression(value.left)) {
        set.push(value.left.name.text);
        value = value.right;
      }
      for (const name of set) if (!found.has(name)) found.set(name, textOf(value, checker));
    }
  }
  return found;
}

/**
 * @param {ts.VariableDeclaration} constant
 * @param {ts.TypeChecker} checker
 * @returns {[ts.Symbol | undefined, ts.Expression][]}
 */
function constantsIn({ type, initializer }, checker) {
  if (type === undefined || initializer === undefined || !ts.isObjectLiteralExpression(initializer))
    return [];
  const options = checker.getTypeFromTypeNode(type);
  return initializer.properties.flatMap((property) =>
    ts.isPropertyAssignment(property)
      ? [[options.getProperty(property.name.getText()), property.initializer]]
      : [],
  );
}

/** @param {ts.Node} node */
function partOf(node) {
  return node.getSourceFile().fileName.replace(ROOT, '').split('/')[0];
}

/**
 * A value as a reader needs it: the number behind a constant's name, what is called otherwise.
 *
 * @param {ts.Expression} value
 * @param {ts.TypeChecker} checker
 * @returns {string}
 */
function textOf(value, checker) {
  if (ts.isNumericLiteral(value)) return Number(value.text).toLocaleString('en-GB');
  if (ts.isIdentifier(value) && value.text !== 'undefined') {
    const symbol = checker.getSymbolAtLocation(value);
    const isAlias = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    const [declaration] = (isAlias ? checker.getAliasedSymbol(symbol) : symbol)?.declarations ?? [];
    const constant =
      declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
    if (constant !== undefined && (ts.isNumericLiteral(constant) || ts.isStringLiteral(constant))) {
      return textOf(constant, checker);
    }
  }
  return value.getText().replace(/\s+/g, ' ');
}
