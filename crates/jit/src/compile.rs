//! From a model to machine code.

use std::fmt;
use std::ops::Range;

use cranelift_codegen::Context;
use cranelift_codegen::ir::{AbiParam, Function, Signature, Type, UserFuncName, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, ModuleError};
use model::Model;

use crate::context::{ExpandFn, ProcessFn};
use crate::emit::Helpers;
use crate::facts::Facts;
use crate::process::Role;
use crate::size::Sizes;
use crate::{expander, process, runtime};

/// Why there is no compiled code for a model.
#[derive(Debug)]
pub struct Unavailable(String);

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Unavailable {
    /// It would take too long.
    pub(crate) fn too_large() -> Unavailable {
        Unavailable("the model is too large to compile".to_owned())
    }
}

impl From<ModuleError> for Unavailable {
    fn from(error: ModuleError) -> Unavailable {
        Unavailable(format!("cannot compile the model: {error}"))
    }
}

/// Machine code, which lives as long as this.
pub(crate) struct Code {
    module: Option<JITModule>,
    helpers: HelperIds,
}

impl Drop for Code {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the functions are called by the owner of this only, who is gone.
            unsafe { module.free_memory() };
        }
    }
}

impl Code {
    /// No functions yet.
    pub(crate) fn new() -> Result<Code, Unavailable> {
        let mut module = JITModule::new(builder()?);
        let helpers = HelperIds::declare(&mut module)?;
        Ok(Code {
            module: Some(module),
            helpers,
        })
    }

    /// Compile a function for each proctype, in their order.
    pub(crate) fn compile(
        &mut self,
        model: &Model,
        facts: &Facts,
        role: Role,
    ) -> Result<Vec<ProcessFn>, Unavailable> {
        let functions = (model.proctypes.iter())
            .map(|proctype| {
                move |b: FunctionBuilder<'_>, helpers, frontend| {
                    process::define(b, model, facts, helpers, proctype, role, frontend);
                }
            })
            .collect();
        self.define_all(functions)
    }

    /// Compile the function that makes the steps of a node, and those that it calls if it would be
    /// too large.
    pub(crate) fn compile_expander(
        &mut self,
        model: &Model,
        facts: &Facts,
        sizes: &Sizes,
    ) -> Result<ExpandFn, Unavailable> {
        let functions = sizes.functions();
        let is_whole = functions.len() == 1 && functions[0] == (0..model.layout.heads.len());
        let parts = match is_whole {
            true => Vec::new(),
            false => {
                let define = |heads: &Range<usize>| {
                    let heads = heads.clone();
                    move |b: FunctionBuilder<'_>, helpers, frontend| {
                        process::define_heads(b, model, facts, helpers, heads, frontend);
                    }
                };
                self.define(functions.iter().map(define).collect(), &[])?
            }
        };
        let parts: Vec<(Range<usize>, FuncId)> = functions.into_iter().zip(parts).collect();
        let called: Vec<FuncId> = parts.iter().map(|(_, id)| *id).collect();
        let heads: Vec<Range<usize>> = parts.into_iter().map(|(heads, _)| heads).collect();
        let function = |b: FunctionBuilder<'_>, helpers: Helpers, frontend| {
            let parts = match is_whole {
                true => None,
                false => Some(&heads[..]),
            };
            expander::define(b, model, facts, helpers, parts, frontend);
        };
        let compiled = self.define(vec![function], &called)?;
        let addresses = self.addresses(&compiled)?;
        Ok(addresses[0])
    }

    /// Compile functions; all have the same signature.
    fn define_all(
        &mut self,
        functions: Vec<impl FnOnce(FunctionBuilder<'_>, Helpers, TargetFrontendConfig)>,
    ) -> Result<Vec<ProcessFn>, Unavailable> {
        let ids = self.define(functions, &[])?;
        self.addresses(&ids)
    }

    /// Make functions ready to be called, and say where they are.
    fn addresses(&mut self, ids: &[FuncId]) -> Result<Vec<ProcessFn>, Unavailable> {
        let Some(module) = &mut self.module else {
            return Ok(Vec::new());
        };
        module.finalize_definitions()?;
        Ok(ids.iter().map(|&id| address(module, id)).collect())
    }

    /// Translate functions, which may call others of the same signature, by their numbers.
    fn define(
        &mut self,
        functions: Vec<impl FnOnce(FunctionBuilder<'_>, Helpers, TargetFrontendConfig)>,
        called: &[FuncId],
    ) -> Result<Vec<FuncId>, Unavailable> {
        let Some(module) = &mut self.module else {
            return Ok(Vec::new());
        };
        let mut context = module.make_context();
        let mut scratch = FunctionBuilderContext::new();
        let mut ids = Vec::new();
        for define in functions {
            space::cancel::poll();
            let signature = signature(module, &[types::I64, types::I64, types::I32], types::I32);
            let id = module.declare_anonymous_function(&signature)?;
            context.func =
                Function::with_name_signature(UserFuncName::user(0, id.as_u32()), signature);
            let helpers = self.helpers.import(module, &mut context);
            // References count on from those to the helpers, see `Helpers::part`.
            for &id in called {
                module.declare_func_in_func(id, &mut context.func);
            }
            let frontend = module.target_config();
            let builder = FunctionBuilder::new(&mut context.func, &mut scratch);
            define(builder, helpers, frontend);
            module.define_function(id, &mut context)?;
            module.clear_context(&mut context);
            ids.push(id);
        }
        Ok(ids)
    }
}

#[allow(unsafe_code)]
fn address(module: &JITModule, id: FuncId) -> ProcessFn {
    let code = module.get_finalized_function(id);
    // SAFETY: the function was declared with this signature and the C calling convention of
    // the machine.
    unsafe { std::mem::transmute::<*const u8, ProcessFn>(code) }
}

/// Code for this machine, and the addresses of the runtime's functions.
fn builder() -> Result<JITBuilder, Unavailable> {
    if cfg!(target_endian = "big") || size_of::<usize>() != 8 {
        return Err(Unavailable(
            "compiled code is not supported on this processor".to_owned(),
        ));
    }
    let mut flags = settings::builder();
    for (name, value) in [
        ("opt_level", "speed"),
        (
            "enable_verifier",
            if cfg!(debug_assertions) {
                "true"
            } else {
                "false"
            },
        ),
        ("unwind_info", "false"),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
    ] {
        flags
            .set(name, value)
            .map_err(|error| Unavailable(error.to_string()))?;
    }
    let isa = cranelift_native::builder()
        .map_err(|error| Unavailable(error.to_owned()))?
        .finish(settings::Flags::new(flags))
        .map_err(|error| Unavailable(error.to_string()))?;
    let mut builder = JITBuilder::with_isa(isa, cranelift_module::default_libcall_names());
    builder.symbol("eval", runtime::eval as *const u8);
    builder.symbol("handshake", runtime::handshake as *const u8);
    builder.symbol("claims", runtime::claims as *const u8);
    builder.symbol("memmove", runtime::move_bytes as *const u8);
    builder.symbol("interpret", runtime::interpret as *const u8);
    Ok(builder)
}

fn signature(module: &JITModule, params: &[Type], result: Type) -> Signature {
    let mut signature = module.make_signature();
    signature.params = params.iter().map(|ty| AbiParam::new(*ty)).collect();
    signature.returns = vec![AbiParam::new(result)];
    signature
}

/// The functions of the runtime, as the module knows them.
struct HelperIds([FuncId; 5]);

impl HelperIds {
    fn declare(module: &mut JITModule) -> Result<HelperIds, Unavailable> {
        let (p, n) = (types::I64, types::I32);
        let mut declare = |name: &str, params: &[Type], result: Type| {
            let signature = signature(module, params, result);
            let declared = module.declare_function(name, Linkage::Import, &signature);
            declared.map_err(Unavailable::from)
        };
        Ok(HelperIds([
            declare("eval", &[p, n, p, n, n], p)?,
            declare("handshake", &[p], n)?,
            declare("claims", &[p, p, n, n, n], n)?,
            declare("memmove", &[p, p, p], p)?,
            declare("interpret", &[p, n], n)?,
        ]))
    }

    fn import(&self, module: &mut JITModule, context: &mut Context) -> Helpers {
        let [eval, handshake, claims, memmove, interpret] =
            (self.0).map(|id| module.declare_func_in_func(id, &mut context.func));
        Helpers {
            eval,
            handshake,
            claims,
            memmove,
            interpret,
        }
    }
}
